"""Words in a river pipeline, from several threads."""

import random
import threading

from telex.stream.words import Words


def test_terms_have_their_names_though_another_thread_brings_new_ones():
    words, wrong = Words(vocabulary="bounded", size=40, stem="none", stop="none"), []
    terms = [f"{a}{b}{c}" for a in "bdfg" for b in "aeiou" for c in "klmn"]

    def use(seed):
        rng = random.Random(seed)
        for _ in range(400):
            text = rng.sample(terms, 8)
            words.learn_one(" ".join(text))
            try:
                found = words.transform_one(" ".join(text))
            except Exception as error:
                wrong.append(error)
                return
            if not set(found) <= set(text):
                wrong.append((text, found))

    threads = [threading.Thread(target=use, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
