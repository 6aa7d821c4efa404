"""Writes a pack (juror-model/1): ONNX graphs with their weights beside them, golden cases, and pack.json.

A golden case is what the original network makes of an input, in PyTorch; onnxruntime must agree before anything is written.
"""
import hashlib
import json
import pathlib
import platform

import numpy as np
import onnx
import onnxruntime
import torch

OPSET = 17
TOLERANCE = 1e-4
CLIP_PIXELS = {"mean": [0.48145466, 0.4578275, 0.40821073], "std": [0.26862954, 0.26130258, 0.27577711]}
IMAGENET_PIXELS = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}


class Pack:
    def __init__(self, folder, name, task, source, licence, profile):
        self.folder = pathlib.Path(folder)
        (self.folder / "golden").mkdir(parents=True, exist_ok=True)
        self.list = {
            "schema": "juror-model/1", "id": name, "task": task, "source": source, "licence": licence, "profile": profile,
            "exporter": {"python": platform.python_version(), "torch": torch.__version__, "onnx": onnx.__version__,
                         "onnxruntime": onnxruntime.__version__, "opset": str(OPSET)},
            "files": [], "nodes": {}, "golden": [],
        }

    def add(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return self.know(name)

    def know(self, name):
        digest = hashlib.sha256()
        with open(self.folder / name, "rb") as file:
            while piece := file.read(1 << 24):
                digest.update(piece)
        self.list["files"].append({"name": name, "bytes": (self.folder / name).stat().st_size, "sha256": digest.hexdigest()})
        return name

    def array(self, name, array):
        np.save(self.folder / name, np.ascontiguousarray(array))
        return self.know(name)

    def graph(self, node, module, cases, inputs, outputs, original=None, dynamic=None, **rules):
        """Exports `module`; `cases` are tuples of its inputs, `original` is what golden outputs come from."""
        module = module.eval()
        original = original or module
        file, weights = f"{node}.onnx", f"{node}.data"
        whole = self.folder / file
        names = [name for name, _ in inputs], [name for name, _ in outputs]
        with torch.no_grad():
            torch.onnx.export(module, tuple(cases[0]), str(whole), opset_version=OPSET, dynamo=False, input_names=names[0],
                              output_names=names[1], dynamic_axes=dynamic, do_constant_folding=True)
        loaded = onnx.load(str(whole))
        (self.folder / weights).unlink(missing_ok=True)
        onnx.save_model(loaded, str(whole), save_as_external_data=True, all_tensors_to_one_file=True, location=weights, size_threshold=1024)
        has_weights = (self.folder / weights).exists()
        self.know(file)
        if has_weights:
            self.know(weights)
        session = onnxruntime.InferenceSession(str(whole), providers=["CPUExecutionProvider"])
        for number, case in enumerate(cases):
            with torch.no_grad():
                wanted = original(*case)
            wanted = [one.detach().numpy() for one in (wanted if isinstance(wanted, (tuple, list)) else [wanted])]
            found = session.run(names[1], {name: one.numpy() for name, one in zip(names[0], case)})
            for one, other in zip(wanted, found):
                off = np.abs(one - other).max() / max(np.abs(one).max(), 1e-30)
                assert one.shape == other.shape and off <= TOLERANCE, f"{node}: onnxruntime is off by {off}"
            self.list["golden"].append({
                "node": node, "tolerance": TOLERANCE,
                "inputs": [self.array(f"golden/{node}-{number}-{name}.npy", one.numpy()) for name, one in zip(names[0], case)],
                "outputs": [self.array(f"golden/{node}-{number}-{name}.npy", one) for name, one in zip(names[1], wanted)],
            })
        self.list["nodes"][node] = {
            "graph": file, "weights": [weights] if has_weights else [],
            "inputs": [{"name": name, "shape": shape} for name, shape in inputs],
            "outputs": [{"name": name, "shape": shape} for name, shape in outputs], **rules,
        }

    def close(self):
        (self.folder / "pack.json").write_text(json.dumps(self.list, indent=1), encoding="utf-8")


def pictures(side, count=3, width=None):
    """Inputs of a network as they come from pictures: smooth, with an edge, about 0 and of a spread of 1."""
    y, x = np.mgrid[0:side, 0:width or side].astype(np.float32)
    found = []
    for number in range(count):
        planes = [np.sin(x / (7 + number) + c) + np.cos(y / (5 + c)) + (x > y) * (number - 1) for c in range(3)]
        found.append(torch.from_numpy(np.stack(planes)[None].astype(np.float32)))
    return found
