"""Writes pose.json: people that HigherHRNet's own parser finds in made heat maps, and what OpenCV draws of them.

pip install numpy==1.26.4 opencv-python-headless==4.11.0.86 munkres==1.1.4
git clone https://github.com/HRNet/HigherHRNet-Human-Pose-Estimation
python -P pose.py HigherHRNet-Human-Pose-Estimation > pose.json  # -P, as a script beside it is called statistics

Grouping and completing are the repository's (`match_by_tag`, `adjust`, `refine`), drawing too (`add_joints`, in white);
peaks are found here, as PyTorch is not needed for that. Pictures are told by the SHA-256 of their one channel.
"""
import ast
import hashlib
import json
import pathlib
import random
import sys
import types

import cv2
import numpy as np

LIB = pathlib.Path(sys.argv[1]) / "lib"
W, H, J = 48, 40, 17
torch = types.ModuleType("torch")
torch.nn = types.SimpleNamespace(MaxPool2d=lambda *_: None)
sys.modules["torch"] = torch
GROUP = {}
exec((LIB / "core/group.py").read_text(), GROUP)


def drawing():
    """The table of limbs and the function that draws them, without what their modules import besides."""
    space = {"cv2": cv2}
    for file, kind in [("dataset/__init__.py", ast.Assign), ("utils/vis.py", ast.FunctionDef)]:
        for node in ast.parse((LIB / file).read_text()).body:
            if isinstance(node, kind) and (kind is ast.Assign or node.name == "add_joints"):
                exec(ast.unparse(node), space)
    return space


DRAW = drawing()


class Params:
    num_joints, max_num_people = J, 30
    detection_threshold, tag_threshold = 0.1, 1.0
    use_detection_val, ignore_too_much = True, False
    joint_order = [i - 1 for i in [1, 2, 3, 4, 5, 6, 7, 12, 13, 8, 9, 10, 11, 14, 15, 16, 17]]


GROUP["Params"] = Params
parser = GROUP["HeatmapParser"].__new__(GROUP["HeatmapParser"])
parser.params = Params()


def maps(people):
    """Cones of heat, and discs of tags around them; elsewhere a tag that is nobody's."""
    y, x = np.mgrid[0:H, 0:W].astype(float)
    heat = np.zeros((J, H, W))
    tags = np.full((J, H, W, 2), 9.0)
    for person in people:
        for joint, point in enumerate(person["points"]):
            if point is None:
                continue
            px, py, value = point
            square = (x - px) ** 2 + (y - py) ** 2
            heat[joint] = np.maximum(heat[joint], value * np.maximum(0, 1 - square / 12))
            for k in range(2):
                tags[joint][..., k][square < 20] = person["tag"] + 0.07 * ((joint * 5 + k * 3) % 4)
    return heat.astype(np.float32), tags.astype(np.float32)


def peaks(heat, tags):
    """What `top_k` gives: 5 by 5 peaks, the surest 30 of each key point."""
    around = np.full((J, H + 4, W + 4), -np.inf, np.float32)
    around[:, 2:-2, 2:-2] = heat
    most = np.max([around[:, dy:dy + H, dx:dx + W] for dy in range(5) for dx in range(5)], axis=0)
    det = (heat * (most == heat)).reshape(J, -1)
    order = np.argsort(-det, axis=1, kind="stable")[:, :30]
    value = np.take_along_axis(det, order, 1)
    flat = tags.reshape(J, H * W, 2)
    tag = np.stack([np.take_along_axis(flat[:, :, k], order, 1) for k in range(2)], 2)
    return tag, np.stack((order % W, order // W), 2), value


def parse(heat, tags):
    ans = GROUP["match_by_tag"](peaks(heat, tags), parser.params)
    ans = parser.adjust([ans], heat[None])[0]
    return [parser.refine(heat, tags, person) for person in ans]


def sha(image):
    return hashlib.sha256(np.ascontiguousarray(image[..., 0]).tobytes()).hexdigest()


def case(people):
    heat, tags = maps(people)
    found = parse(heat, tags)
    sheet = np.zeros((H, W, 3), np.uint8)
    for person in found:
        DRAW["add_joints"](sheet, person, [255, 255, 255])
    sizes = [(W, H), (97, 31), (24, 20), (33, 80)]
    return {
        "people": people,
        "found": [[[int(j[0]), int(j[1])] if j[2] > 0 else None for j in person] for person in found],
        "drawn": [{"width": w, "height": h, "sha256": sha(cv2.resize(sheet, (w, h)))} for w, h in sizes],
    }


def made(rng, number, missing, spread):
    people = []
    for at in range(number):
        points = []
        for _ in range(J):
            if rng.random() < missing:
                points.append(None)
            else:
                points.append([rng.randrange(W), rng.randrange(H), round(rng.uniform(0.05, 0.95), 3)])
        people.append({"tag": round(rng.uniform(-spread, spread), 2), "points": points})
    return people


rng = random.Random(11)
cases = [case(made(rng, *shape)) for shape in
         [(1, 0.0, 3), (1, 0.5, 3), (2, 0.2, 4), (3, 0.3, 4), (4, 0.4, 0.8), (6, 0.6, 5), (2, 0.9, 2), (9, 0.3, 6), (5, 0.2, 0.1), (34, 0.5, 9)]]
bars = []
for _ in range(60):
    a, b = [[rng.randrange(W), rng.randrange(H)] for _ in range(2)]
    if rng.random() < 0.3:
        a[rng.randrange(2)] = rng.choice([0, 1])
    if rng.random() < 0.3:
        b = [W - 1 - rng.randrange(2), b[1]]
    sheet = np.zeros((H, W, 3), np.uint8)
    joints = np.zeros((J, 3))
    joints[5], joints[6] = [*a, 1], [*b, 1]
    DRAW["add_joints"](sheet, joints, [255, 255, 255])
    bars.append({"from": a, "to": b, "sha256": sha(sheet)})
json.dump({"width": W, "height": H, "cases": cases, "bars": bars}, sys.stdout, separators=(",", ":"))
