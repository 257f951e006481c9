// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/judged.h"

namespace lk {

Judged judge(const Classifier& classifier, const Probe& probe)
{
    Judged judged;
    judged.claim = classifier.classify(probe);
    if (!judged.claim || judged.claim->primitive.certainty() == Certainty::Possible)
        return judged;
    judged.named = classifier.alsoNamed(probe, *judged.claim);
    judged.primitive = std::make_shared<const Primitive>(judged.claim->primitive);
    if (judged.primitive->keys.empty() || judged.primitive->keys.front().key != probe.name)
        return judged;
    ReadRequest request;
    request.primitive = judged.primitive;
    judged.decoded = PlannedRead(std::move(request), probe.nowMs).takeProbe(probe);
    return judged;
}

} // namespace lk
