"""Writes a pack with the inputs and outputs of HigherHRNet at an eighth of its size and random weights, for tests.

    pip install numpy onnx onnxruntime
    python small_pose.py OUT.zip

Golden outputs are onnxruntime's.
"""
import hashlib
import io
import json
import sys
import zipfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

SIDE = 64
rng = np.random.default_rng(5)


def weights(name, *shape, scale):
    return numpy_helper.from_array((rng.standard_normal(shape) * scale).astype(np.float32), name)


nodes = [
    helper.make_node("Conv", ["pixel_values", "coarse", "least"], ["maps_and_tags"], kernel_shape=[4, 4], strides=[4, 4]),
    helper.make_node("Conv", ["pixel_values", "fine"], ["maps"], kernel_shape=[2, 2], strides=[2, 2]),
]
value = lambda name, *shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
graph = helper.make_graph(
    nodes, "small_pose", [value("pixel_values", 1, 3, SIDE, SIDE)],
    [value("maps_and_tags", 1, 34, SIDE // 4, SIDE // 4), value("maps", 1, 17, SIDE // 2, SIDE // 2)],
    [weights("coarse", 34, 3, 4, 4, scale=0.05), weights("least", 34, scale=0.5), weights("fine", 17, 3, 2, 2, scale=0.05)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(model)
files = {"image.onnx": model.SerializeToString()}
session = onnxruntime.InferenceSession(files["image.onnx"], providers=["CPUExecutionProvider"])


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


y, x = np.mgrid[0:SIDE, 0:SIDE]
picture = np.stack([((x // 8 * (c + 1) + y // 8 * 3) % 8) / 4 - 1 for c in range(3)])[None].astype(np.float32)
files["golden/in.npy"] = npy(picture)
for name, found in zip(["maps_and_tags", "maps"], session.run(["maps_and_tags", "maps"], {"pixel_values": picture})):
    files[f"golden/{name}.npy"] = npy(found)
pack = {
    "schema": "juror-model/1", "id": "higherhrnet-small", "task": "pose", "source": "small_pose.py", "licence": "MIT OR Apache-2.0",
    "profile": "both",
    "exporter": {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__},
    "files": [{"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()],
    "nodes": {"image": {
        "graph": "image.onnx", "weights": [],
        "inputs": [{"name": "pixel_values", "shape": [1, 3, SIDE, SIDE]}],
        "outputs": [{"name": "maps_and_tags", "shape": [1, 34, SIDE // 4, SIDE // 4]}, {"name": "maps", "shape": [1, 17, SIDE // 2, SIDE // 2]}],
        "pixels": {"path": "pil_bicubic_u8", "resize": {"exact": [SIDE, SIDE]}, "rescale": "divide",
                   "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]},
    }},
    "golden": [{"node": "image", "tolerance": 1e-4, "inputs": ["golden/in.npy"], "outputs": ["golden/maps_and_tags.npy", "golden/maps.npy"]}],
}
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
    for name, data in {"pack.json": json.dumps(pack, indent=1).encode(), **files}.items():
        out.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
