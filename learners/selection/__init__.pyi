from .policies import best_of_each as best_of_each
from .policies import pooled as pooled
from .select_terms import Policy as Policy
from .select_terms import Selected as Selected
from .select_terms import keep_terms as keep_terms

__all__ = [
    "Policy",
    "Selected",
    "best_of_each",
    "keep_terms",
    "pooled",
]
