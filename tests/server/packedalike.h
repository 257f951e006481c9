// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/findings.h"
#include "backend/report/snapshot/packedstates.h"
#include "tests/server/takensnapshot.h"

#include <algorithm>

namespace lk::test {

/// Whether the reports and the findings are the same once the states were packed, as the command
/// line packs them.
inline bool isPackedAlike(const TakenSnapshot& taken)
{
    PackedStates packed(false);
    quint32 index = 0;
    for (const StatePtr& state : taken.snapshot->states) {
        packed.keep(Handle(index), *state);
        packed.list(Handle(index++), state->primitive);
    }
    packed.sort();
    QByteArray json;
    QByteArray text;
    QBuffer toJson(&json);
    QBuffer toText(&text);
    toJson.open(QIODevice::WriteOnly);
    toText.open(QIODevice::WriteOnly);
    writeJson(*taken.snapshot, packed, toJson, Codes::Revealed);
    writeText(*taken.snapshot, packed, toText, Codes::Revealed);
    bool same = json == taken.json && text == taken.text;
    for (size_t at = 0; at < packed.size(); ++at) {
        const std::vector<Finding> a = findingsOf(*taken.snapshot->states[at]);
        const std::vector<Finding> b = findingsOf(*packed.state(at));
        same = same && std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                  [](const Finding& x, const Finding& y) {
                                      return x.code == y.code && x.message == y.message &&
                                             x.key == y.key && x.severity == y.severity;
                                  });
    }
    return same;
}

} // namespace lk::test
