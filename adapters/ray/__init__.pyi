from .engine import RayEngine as RayEngine
from .engine import on_ray as on_ray
from .task_pool import TaskPool as TaskPool

__all__ = ["RayEngine", "TaskPool", "on_ray"]
