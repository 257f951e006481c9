// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"
#include "backend/core/redactedname.h"
#include "backend/findings/rules.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Severity = Finding::Severity;

Seen wrongType(const State& s, const CheckThresholds&)
{
    if (s.problem->code != ErrorCode::WrongType)
        return {};
    return RuleMatch{errorText(*s.problem), {}, {}, {}, {}};
}

Seen undecodable(const State& s, const CheckThresholds&)
{
    if (s.problem->code != ErrorCode::Undecodable)
        return {};
    return RuleMatch{errorText(*s.problem), {}, {}, {}, {}};
}

Seen bigKey(const State& s, const CheckThresholds& t)
{
    if (s.bytes.value_or(0) <= t.bigKeyBytes)
        return {};
    return RuleMatch{FindingText::tr("Uses %1 of memory.")
                         .arg(QLocale().formattedDataSize(*s.bytes, 1, QLocale::DataSizeSIFormat)),
                     *s.bytesKey,
                     {},
                     {},
                     {}};
}

constexpr StateRule keyRuleTable[] = {
    {{"wrong-type", Severity::Error, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Every command of the programs that use it fails, or two programs use the "
                        "same name for different things."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Find out who writes the key; correct the declaration or the name.")},
     wrongType,
     true},
    {{"undecodable", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Its data does not fit its layout: a newer library, another program, or a "
                        "corrupt value."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Check what writes it; actions are off until it can be decoded.")},
     undecodable,
     true},
    {{"big-key", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Deleting, copying or reading all of it blocks the server for every "
                        "client."),
      QT_TRANSLATE_NOOP("lk::Finding", "Limit its size where it is written (LTRIM, shorter "
                                       "windows, smaller payloads); delete it with UNLINK.")},
     bigKey},
};

// Scripts and RPOPLPUSH take the keys of one primitive together, which a cluster allows within one
// slot only. Elsewhere only where it is the recipe's own rule: a resource and its consumers.
class DifferentSlots final : public CrossStateJudge
{
public:
    DifferentSlots(const ServerFacts& server, const CheckThresholds&)
        : m_cluster(server.mode == ServerMode::Cluster)
    {}

    void take(const State& state) override
    {
        const std::vector<KeyRole>& keys = state.primitive->keys;
        for (size_t i = 1; i < keys.size(); ++i) {
            const bool concerned = m_cluster || keys[i].role.startsWith("consumer:");
            if (!concerned || keys[i].key.isEmpty() || keySlot(keys[i].key) == keySlot(keys[0].key))
                continue;
            m_found.push_back({FindingText::tr("%1 is in slot %2, %3 in slot %4.")
                                   .arg(shownKey(state.kind(), keys[0].key),
                                        QString::number(keySlot(keys[0].key)),
                                        shownKey(state.kind(), keys[i].key),
                                        QString::number(keySlot(keys[i].key))),
                               keys[i].key,
                               state.primitive->name(),
                               m_cluster ? std::optional(atMost(Severity::Error, *state.primitive))
                                         : std::nullopt,
                               {},
                               state.kind(),
                               false});
            break; // one for each primitive
        }
    }

    std::vector<RuleMatch> matches(const ScanCounts&) override
    {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const RuleMatch& a, const RuleMatch& b) {
                             return a.kind != b.kind ? a.kind < b.kind : a.name < b.name;
                         });
        return std::move(m_found);
    }

private:
    const bool m_cluster;
    std::vector<RuleMatch> m_found;
};

constexpr SnapshotRule keySnapshotRuleTable[] = {
    {{"different-slots", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "On a cluster one script cannot use both: it fails with CROSSSLOT."),
      QT_TRANSLATE_NOOP("lk::Finding", "Give keys that belong together the same {hash tag}.")},
     beginAcross<DifferentSlots>},
};

} // namespace

std::span<const StateRule> keyRules()
{
    return keyRuleTable;
}

std::span<const SnapshotRule> keySnapshotRules()
{
    return keySnapshotRuleTable;
}

} // namespace lk
