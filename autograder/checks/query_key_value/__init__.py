"""Chapter 4, query, key, value: one module an exercise, in the notebook's order."""

from . import attention, booster, luong_context, merged_projection, project, query_between, soft_lookup

EXERCISES = tuple(
    module.EXERCISE
    for module in (soft_lookup, booster, project, attention, merged_projection, luong_context, query_between)
)
