"""Full vectors as the model2vec package makes them, from the model in Model2Vec layout.

    pip install model2vec==0.10.0 && python make_model2vec.py MODEL_DIR > model2vec.json
"""

import json
import sys

from model2vec import StaticModel

TEXTS = [
    "Create a new calendar event",
    "delete_file",
    "kas dirba rytoj rytinėje pamainoje",
    "Éteins la lumière dans la cuisine",
    "Выключи свет на кухне",
    "关掉厨房的灯",
    "أطفئ الضوء في المطبخ",
    "รายงาน 2026 👍 qzxqzx",
]

model = StaticModel.from_pretrained(sys.argv[1])
vectors = model.encode(TEXTS)
rows = [
    json.dumps({"text": text, "vector": [round(float(value), 7) for value in vector]}, ensure_ascii=False)
    for text, vector in zip(TEXTS, vectors)
]
print("[\n" + ",\n".join(rows) + "\n]")
