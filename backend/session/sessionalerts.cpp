// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionalerts.h"

#include "backend/acting/journal/journal.h"
#include "backend/alerts/keeper/alertkeeper.h"
#include "backend/session/ask.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/deploymentof.h"
#include "backend/session/session.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"

#include <QThread>

#include <algorithm>
#include <unordered_map>

namespace lk {

namespace {

// Returns all states as one delta, for rules that have not seen any. Called in the alerts' thread,
// as unpacking a million takes a while.
DeltaPtr wholeOf(const HandleTable<KeptState>& states, qint64 atMs)
{
    auto delta = std::make_shared<Delta>();
    delta->atMs = atMs;
    for (const auto& [handle, state] : states)
        delta->changes.push_back({handle, state.state(), state});
    return delta;
}

} // namespace

QString operatorName()
{
    const AuditContext here = auditContextHere({}, {}, {});
    return here.who + QLatin1Char('@') + here.host;
}

SessionAlerts::SessionAlerts(Session& session, const QString& file, QThread* thread)
    : QObject(&session)
    , m_session(session)
    , m_file(file)
    , m_thread(thread)
{
    qRegisterMetaType<std::vector<AlertEvent>>();
}

SessionAlerts::~SessionAlerts()
{
    if (!m_keeper)
        return;
    m_keeper->disconnect(this);
    QMetaObject::invokeMethod(m_keeper, &AlertKeeper::stop);
    m_keeper->deleteLater();
}

const AlertSettings& SessionAlerts::settings() const
{
    return m_session.config().alerts;
}

QByteArrayList SessionAlerts::targets() const
{
    QByteArrayList names;
    if (m_desktop)
        names << desktopTarget;
    for (const NotifyTarget& target : settings().targets)
        names << target.name;
    return names;
}

void SessionAlerts::start()
{
    AlertKeeper::Setup setup;
    setup.file = m_file;
    setup.identity.endpoint = m_session.url().endpoint();
    for (const QByteArray& name : deploymentNames(m_session.url()))
        setup.identity.names << QString::fromUtf8(name);
    setup.title = m_session.name();
    setup.desktop = m_desktop;
    setup.settings = settings();
    setup.clock = m_session.setup().clock;
    m_keeper = new AlertKeeper(std::move(setup));
    m_keeper->moveToThread(m_thread);
    connect(m_keeper, &AlertKeeper::changed, this, [this](const AlertsPtr& alerts) {
        m_alerts = alerts;
        emit changed();
    });
    connect(m_keeper, &AlertKeeper::happened, this, &SessionAlerts::happened);
    connect(m_keeper, &AlertKeeper::desktopWanted, this, &SessionAlerts::desktopWanted);
    connect(m_keeper, &AlertKeeper::tested, this, &SessionAlerts::tested);
    connectSession();
    ask(m_keeper, [](AlertKeeper& keeper) { keeper.start(); });
}

void SessionAlerts::restoreHolds(const std::vector<RecordedHold>& holds)
{
    std::unordered_map<QByteArray, size_t> places;
    std::vector<PastHolds> past;
    for (const RecordedHold& hold : holds) {
        const QByteArray key = hold.primitive.layout + '\0' + hold.primitive.name;
        const auto [place, isNew] = places.emplace(key, past.size());
        if (isNew)
            past.push_back({hold.primitive, {}});
        past[place->second].heldMs.push_back(hold.toMs - hold.fromMs);
    }
    if (past.empty())
        return;
    ask(m_keeper, [past, states = m_session.states().all(), atMs = m_session.serverNowMs()](
                      AlertKeeper& keeper) { keeper.restoreHolds(past, wholeOf(states, atMs)); });
}

void SessionAlerts::connectSession()
{
    connect(&m_session.states(), &SessionStates::changed, m_keeper, &AlertKeeper::apply);
    connect(&m_session.findings(), &SessionFindings::changed, this,
            [this](const LiveFindingsPtr& findings) {
                // Do not repeat findings of states from before an outage.
                if (m_session.isLive())
                    ask(m_keeper,
                        [findings](AlertKeeper& keeper) { keeper.setFindings(findings); });
            });
    connect(&m_session, &Session::reported, this, [this](const MonitorReport& report) {
        identify();
        const qint64 offset = report.clock.offsetMs;
        const bool scanned = report.scan.complete;
        ask(m_keeper, [offset, scanned](AlertKeeper& keeper) {
            keeper.setServerOffset(offset);
            if (scanned)
                keeper.setScanned();
        });
        sendServer();
    });
    connect(&m_session, &Session::statusChanged, this, [this] {
        sendLive();
        sendServer();
    });
    connect(&m_session.polling(), &SessionPolling::pausedChanged, this, &SessionAlerts::sendLive);
    sendLive();
}

// The deployment's nodes may change later.
void SessionAlerts::identify()
{
    ++m_reports;
    const std::optional<RecordedDeployment> deployment = deploymentOf(m_session, m_reports);
    if (!deployment)
        return;
    AlertIdentity identity;
    identity.endpoint = m_session.url().endpoint();
    for (const QByteArray& name : QByteArrayList{deployment->key} + deployment->aliases)
        identity.names << QString::fromUtf8(name);
    if (std::exchange(m_names, identity.names) != identity.names)
        ask(m_keeper, [identity](AlertKeeper& keeper) { keeper.identify(identity); });
}

void SessionAlerts::sendLive()
{
    const bool live = m_session.isLive();
    m_reports = live ? m_reports : 0;
    ask(m_keeper, [live](AlertKeeper& keeper) { keeper.setLive(live); });
}

// A server in its first connection attempt is not lost yet, nor is one that asks for a password.
void SessionAlerts::sendServer()
{
    using Phase = ConnectionStatus::Phase;
    const ConnectionStatus& status = m_session.status();
    m_wasReady = m_wasReady || status.phase == Phase::Ready;
    ServerNumbers numbers;
    const std::vector<NodeFacts>& nodes = m_session.report().nodes;
    numbers.lostNodes = std::count_if(
        nodes.begin(), nodes.end(), [](const NodeFacts& node) { return node.reachable == false; });
    const bool lost = status.phase == Phase::Lost || (m_wasReady && status.phase != Phase::Ready);
    if (lost)
        numbers.lostNodes = std::max<qint64>(1, numbers.lostNodes);
    if (const auto commands = m_session.info().number("instantaneous_ops_per_sec");
        commands && !lost)
        numbers.commandsPerSecond = double(*commands);
    if (const auto memory = m_session.info().number("used_memory"); memory && !lost)
        numbers.usedMemory = double(*memory);
    ask(m_keeper, [numbers](AlertKeeper& keeper) { keeper.setServer(numbers); });
}

void SessionAlerts::applySettings()
{
    const AlertSettings now = settings();
    const LiveFindingsPtr findings = m_session.isLive() ? m_session.findings().latest() : nullptr;
    ask(m_keeper, [now, states = m_session.states().all(), atMs = m_session.serverNowMs(),
                   findings](AlertKeeper& keeper) {
        keeper.setSettings(now, wholeOf(states, atMs));
        if (findings)
            keeper.setFindings(findings);
    });
    emit changed();
}

void SessionAlerts::acknowledge(const QByteArrayList& ids)
{
    const QString by = operatorName();
    ask(m_keeper, [ids, by](AlertKeeper& keeper) { keeper.acknowledge(ids, by); });
    emit acknowledged(ids, by);
}

void SessionAlerts::silence(const Silence& silence)
{
    Silence wanted = silence;
    wanted.by = operatorName();
    ask(m_keeper, [wanted](AlertKeeper& keeper) { keeper.silence(wanted); });
    emit silenced(wanted);
}

void SessionAlerts::endSilence(qint64 id)
{
    ask(m_keeper, [id](AlertKeeper& keeper) { keeper.endSilence(id); });
    const auto known = std::ranges::find(m_alerts->silences, id, &Silence::id);
    if (known != m_alerts->silences.end())
        emit silenceEnded(*known, operatorName());
}

void SessionAlerts::test(const QByteArray& target)
{
    ask(m_keeper, [target](AlertKeeper& keeper) { keeper.test(target); });
}

void SessionAlerts::desktopAnswered(const QByteArray& id, const QString& problem)
{
    ask(m_keeper, [id, problem](AlertKeeper& keeper) { keeper.desktopAnswered(id, problem); });
}

// A metric rule contains the primitive, a finding rule its key.
Handle SessionAlerts::handleOf(const Alert& alert) const
{
    return alert.kind ? handleOfRecorded(m_session, *alert.kind, alert.primitive) : noHandle;
}

} // namespace lk
