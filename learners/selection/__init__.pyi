from .policies import best_of_each as best_of_each
from .policies import pooled as pooled
from .selected_learner import Policy as Policy
from .selected_learner import Selected as Selected
from .selected_learner import keep_terms as keep_terms

__all__ = [
    "Policy",
    "Selected",
    "best_of_each",
    "keep_terms",
    "pooled",
]
