"""ibidem in the pipelines of other libraries: Arrow, datatrove, Hugging Face datasets, Ray Data, Spark.

Each module imports its library only when it is used, and is as short as the library allows: the work is done by the
functions that every program calls.
"""
