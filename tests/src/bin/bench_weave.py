"""A plain summary of metrics.jsonl, as a researcher would write it; prints its means and its processor time."""

import json
import platform
import sys
import time

CATEGORIES = {
    "Science": ["optics", "geography", "astronomy", "chemistry", "physics", "biology"],
    "Creation": ["edit", "recall", "fusion", "story"],
    "Logic": ["spatial", "mathematics"],
    "Game": ["chess_game", "visual_jigsaw", "minecraft", "maze"],
}
CATEGORY_OF = {domain: category for category, domains in CATEGORIES.items() for domain in domains}


def total(means):
    kp, vc, iq = (means.get(key) for key in ("key_point", "visual_consistency", "image_quality"))
    accuracy = means.get("accuracy")
    if None in (kp, vc, iq):
        return round(sum(means.values()) / len(means), 3)
    if accuracy is None:
        return round(0.5 * kp + 0.2 * vc + 0.3 * iq, 3)
    return round(0.4 * kp + 0.1 * vc + 0.2 * iq + 0.3 * accuracy, 3)


def summary(path):
    sums = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            domain = item["domain"]
            for key, turn in item.items():
                if not key.startswith("turn "):
                    continue
                for metric, verdict in turn.items():
                    entry = sums.setdefault((domain, metric), [0, 0])
                    entry[0] += verdict["score"]
                    entry[1] += 1
    pooled = {}
    for (domain, metric), (score, count) in sums.items():
        for group in ("overall/all", "category/" + CATEGORY_OF[domain], "domain/" + domain):
            entry = pooled.setdefault(group, {}).setdefault(metric, [0, 0])
            entry[0] += score
            entry[1] += count
    groups = {}
    for group, metrics in pooled.items():
        means = {metric: round(score / count / 10, 3) for metric, (score, count) in metrics.items()}
        groups[group] = {**means, "total": total(means)}
    return groups


best = None
for _ in range(3):
    start = time.process_time()
    groups = summary(sys.argv[1])
    elapsed = time.process_time() - start
    best = elapsed if best is None else min(best, elapsed)
means = {f"{group}/{metric}": value for group, values in groups.items() for metric, value in values.items()}
print(json.dumps({"processor": best, "version": platform.python_version(), "means": means}))
