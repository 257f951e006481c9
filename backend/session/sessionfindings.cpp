// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionfindings.h"

#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"
#include "backend/history/firstseenstore.h"
#include "backend/session/ask.h"
#include "backend/session/session.h"
#include "backend/session/sessionstates.h"

namespace lk {

SessionFindings::SessionFindings(Session& session, SessionSource& source)
    : m_session(session)
    , m_tracker(new FindingTracker(session.config().check))
{
    m_tracker->moveToThread(session.setup().workerThread);
    connect(&source, &SessionSource::findingsRecorded, m_tracker, &FindingTracker::setPast);
    connect(&source, &SessionSource::deltaReady, m_tracker, &FindingTracker::apply);
    connect(m_tracker, &FindingTracker::reported, this, [this](const LiveFindingsPtr& findings) {
        m_latest = findings;
        emit changed(m_latest);
    });
    connect(&session, &Session::infoChanged, this, &SessionFindings::sendServer);
}

SessionFindings::~SessionFindings()
{
    QMetaObject::invokeMethod(m_tracker, &FindingTracker::stop);
    m_tracker->deleteLater();
}

void SessionFindings::start()
{
    QMetaObject::invokeMethod(m_tracker, &FindingTracker::start);
}

void SessionFindings::applySettings()
{
    ask(m_tracker, [check = m_session.config().check](FindingTracker& t) { t.setSettings(check); });
}

void SessionFindings::setRedlock(const std::vector<Finding>& findings)
{
    ask(m_tracker, [findings](FindingTracker& tracker) { tracker.setRedlock(findings); });
}

void SessionFindings::continueFrom(FirstSeenStore& store)
{
    connect(&store, &FirstSeenStore::agesLoaded, m_tracker,
            [tracker = m_tracker](const RecordedAges& ages) {
                QHash<QByteArray, qint64> sinceMs;
                for (const RecordedFinding& open : ages.findings)
                    sinceMs.insert(findingIdentity(open.finding, open.finding.kind), open.sinceMs);
                tracker->goOn(sinceMs);
            });
}

void SessionFindings::sendServer()
{
    const MonitorReport& report = m_session.report();
    ServerFacts facts = m_session.info().facts(m_session.url().endpoint());
    facts.timeMs = m_session.serverNowMs();
    facts.nodes = report.nodes;
    if (report.map) {
        facts.unserved = report.map->unserved();
        facts.openSlots = report.map->openSlots();
    }
    ask(m_tracker, [facts](FindingTracker& tracker) { tracker.setServer(facts); });
}

const HandleTable<KeptState>& SessionFindings::trackedStates() const
{
    return m_tracker->states();
}

std::vector<LiveFindingPtr> SessionFindings::of(Handle handle) const
{
    if (!m_latest || !m_latest->worstOf(handle))
        return {};
    std::vector<LiveFindingPtr> found = m_latest->of(handle);
    std::erase_if(found, [](const LiveFindingPtr& live) { return live->finding.silenced; });
    if (!found.empty() || m_session.isPast()) // in the past only recorded findings exist
        return found;
    if (const StatePtr s = m_session.states().at(handle)) {
        // Too many findings to keep all: derive them from the state.
        const CheckSettings& check = m_session.config().check;
        for (Finding& finding : findingsOf(*s, check.thresholds)) {
            if (!check.isSilenced(finding))
                found.push_back(std::make_shared<LiveFinding>(
                    LiveFinding{0, handle, s->kind(), s->asOfMs, std::move(finding)}));
        }
    }
    return found;
}

} // namespace lk
