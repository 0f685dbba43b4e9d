import java.io.*;
import java.util.*;
import weka.classifiers.Classifier;
import weka.classifiers.UpdateableClassifier;
import weka.core.*;

/** Reads LABELS FEATURES CLASSIFIER [OPTION..], then documents as lines "label,label feature:value ..."; predicts each and learns it.
 *  Writes the confidences of all labels of each document as floats, and to the error stream the nanoseconds of all steps. */
public class Meka {
  public static void main(String[] args) throws Exception {
    int labels = Integer.parseInt(args[0]), features = Integer.parseInt(args[1]);
    ArrayList<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < labels; i++) attributes.add(new Attribute("l" + i, List.of("0", "1")));
    for (int i = 0; i < features; i++) attributes.add(new Attribute("f" + i));
    Instances none = new Instances("documents", attributes, 0);
    none.setClassIndex(labels);
    Classifier learner = (Classifier) Class.forName(args[2]).getDeclaredConstructor().newInstance();
    ((OptionHandler) learner).setOptions(Arrays.copyOfRange(args, 3, args.length));
    PrintStream report = System.err, out = System.out;
    System.setOut(report);
    learner.buildClassifier(none);
    DataOutputStream scores = new DataOutputStream(new BufferedOutputStream(out));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    long spent = 0;
    for (String line; (line = lines.readLine()) != null;) {
      String[] parts = line.split(" ");
      TreeMap<Integer, Double> values = new TreeMap<>();
      for (String label : parts[0].split(",")) if (!label.isEmpty()) values.put(Integer.parseInt(label), 1.0);
      TreeMap<Integer, Double> asked = new TreeMap<>();
      for (int i = 1; i < parts.length; i++) {
        String[] pair = parts[i].split(":");
        asked.put(labels + Integer.parseInt(pair[0]), Double.parseDouble(pair[1]));
      }
      values.putAll(asked);
      Instance question = sparse(asked, none), answer = sparse(values, none);
      long before = System.nanoTime();
      double[] said = learner.distributionForInstance(question);
      ((UpdateableClassifier) learner).updateClassifier(answer);
      spent += System.nanoTime() - before;
      for (int i = 0; i < labels; i++) scores.writeFloat((float) said[i]);
    }
    scores.flush();
    report.println("nanoseconds " + spent);
  }

  static Instance sparse(TreeMap<Integer, Double> values, Instances home) {
    int[] places = new int[values.size()];
    double[] numbers = new double[values.size()];
    int k = 0;
    for (Map.Entry<Integer, Double> one : values.entrySet()) { places[k] = one.getKey(); numbers[k++] = one.getValue(); }
    Instance made = new SparseInstance(1, numbers, places, home.numAttributes());
    made.setDataset(home);
    return made;
  }
}
