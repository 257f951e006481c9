// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/proberesult.h"

namespace lk {

ProbeResult judge(const Classifier& classifier, const Probe& probe)
{
    ProbeResult result;
    result.claim = classifier.classify(probe);
    if (!result.claim || result.claim->primitive.certainty() == Certainty::Possible)
        return result;
    result.named = classifier.alsoNamed(probe, *result.claim);
    result.primitive = std::make_shared<const Primitive>(result.claim->primitive);
    if (result.primitive->keys.empty() || result.primitive->keys.front().key != probe.name)
        return result;
    ReadRequest request;
    request.primitive = result.primitive;
    result.decoded = PlannedRead(std::move(request), probe.nowMs).takeProbe(probe);
    return result;
}

} // namespace lk
