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
    result.primitive = std::make_shared<const Primitive>(std::move(result.claim->primitive));
    if (!result.primitive->keys.empty() && result.primitive->keys.front().key == probe.name)
        result.decoded = readProbe(*result.claim->layout, result.primitive, probe);
    return result;
}

} // namespace lk
