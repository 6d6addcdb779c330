"""What the reference's tests share: ONNX's own operators as oracle, and few, repeatable hypothesis examples."""

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("light", max_examples=20, deadline=None, derandomize=True, database=None)
settings.load_profile("light")


@pytest.fixture(scope="session")
def oracle():
    """Return ``run(operator, *inputs, outputs=1, domain="", **attributes)``: ONNX's reference evaluator, in float64.

    ONNX keeps attributes in float32, so give it numbers like 0.125 that float32 holds exactly.
    """
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    kinds = {"f": TensorProto.DOUBLE, "b": TensorProto.BOOL, "i": TensorProto.INT64}

    def run(operator, *inputs, outputs=1, domain="", **attributes):
        feeds = {f"in{i}": np.asarray(array) for i, array in enumerate(inputs) if array is not None}
        names = ["" if array is None else f"in{i}" for i, array in enumerate(inputs)]
        results = [f"out{i}" for i in range(outputs)]
        node = helper.make_node(operator, names, results, domain=domain, **attributes)
        graph = helper.make_graph(
            [node],
            operator,
            [helper.make_tensor_value_info(name, kinds[a.dtype.kind], a.shape) for name, a in feeds.items()],
            [helper.make_tensor_value_info(name, TensorProto.DOUBLE, None) for name in results],
        )
        versions = [helper.make_opsetid("", 24), helper.make_opsetid("ai.onnx.preview.training", 1)]
        return ReferenceEvaluator(helper.make_model(graph, opset_imports=versions)).run(None, feeds)

    return run


@pytest.fixture
def frozen(rng):
    """Return ``frozen(*shape)``: random numbers in an array that raises an error if anyone writes to it."""

    def draw(*shape):
        array = rng.normal(size=shape)
        array.setflags(write=False)
        return array

    return draw
