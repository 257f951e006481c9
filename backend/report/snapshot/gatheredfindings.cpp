// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/gatheredfindings.h"

#include "backend/findings/findings.h"

namespace lk {

namespace {

std::vector<Finding> judged(const State& state, const CheckSettings& check)
{
    std::vector<Finding> findings = findingsOf(state, check.thresholds);
    for (Finding& finding : findings)
        finding.silenced = check.isSilenced(finding);
    return findings;
}

} // namespace

template<typename Text> Text GatheredFindings::shared(const Text& text, QSet<Text>& all)
{
    constexpr qsizetype most = 1000; // messages with numbers of their own are of no use here
    const auto it = all.constFind(text);
    if (it != all.cend())
        return *it;
    return all.size() < most ? *all.insert(text) : text;
}

void GatheredFindings::begin(const ServerFacts& server)
{
    m_across = std::make_unique<CrossStateFindings>(server, m_check.thresholds);
}

void GatheredFindings::take(const State& state)
{
    m_across->take(state);
    if (m_tooMany)
        return;
    for (Finding& finding : judged(state, m_check)) {
        for (QString* text : {&finding.message, &finding.why, &finding.advice})
            *text = shared(*text, m_texts);
        for (QByteArray* word : {&finding.code, &finding.action})
            *word = shared(*word, m_words);
        m_kept.push_back(std::move(finding));
    }
    if (m_kept.size() <= m_most)
        return;
    m_tooMany = true;
    m_kept = {};
}

std::vector<Finding> GatheredFindings::end(const ServerFacts& server, const ScanCounts& scan)
{
    for (std::vector<Finding> more : {findingsOfServer(server), m_across->end(server, scan)}) {
        for (Finding& finding : more) {
            finding.silenced = m_check.isSilenced(finding);
            m_kept.push_back(std::move(finding));
        }
    }
    return std::move(m_kept);
}

StateSequence::Judge GatheredFindings::judge() const
{
    if (!m_tooMany)
        return {};
    return [check = m_check](const State& state) { return judged(state, check); };
}

} // namespace lk
