// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/keeper/alertkeeper.h"

#include "backend/alerts/delivery/alertdelivery.h"
#include "backend/alerts/store/alertstore.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int pruneSeconds = 3600;

} // namespace

AlertKeeper::AlertKeeper(Setup setup)
    : m_setup(std::move(setup))
    , m_store(std::make_unique<AlertStore>(m_setup.file))
    , m_engine(m_setup.identity.endpoint.toUtf8(), m_setup.settings)
    , m_delivery(new AlertDelivery(*m_store, *m_setup.clock, this))
{
    m_planner.setSettings(m_setup.settings);
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &AlertKeeper::everySecond);
    connect(m_delivery, &AlertDelivery::desktopWanted, this, &AlertKeeper::desktopWanted);
    connect(m_delivery, &AlertDelivery::tested, this, &AlertKeeper::tested);
    connect(m_delivery, &AlertDelivery::changed, this, [this] { m_changed = true; });
    connect(m_delivery, &AlertDelivery::problem, this,
            [this](const Error& error) { setProblem(error); });
}

AlertKeeper::~AlertKeeper()
{
    delete m_delivery;
}

void AlertKeeper::start()
{
    if (const Result<void> opened = m_store->open(); !opened)
        m_openProblem = opened.error();
    if (const Result<void> resolved = m_store->resolve(m_setup.identity); !resolved)
        setProblem(resolved.error());
    m_delivery->setSettings({}, m_setup.desktop); // until it is known who raises them
    m_second.start();
    everySecond();
}

void AlertKeeper::identify(const AlertIdentity& identity)
{
    m_setup.identity = identity;
    const QString before = m_store->deployment();
    const bool locked = m_store->isLocked();
    if (const Result<void> known = m_store->identify(identity); !known)
        setProblem(known.error());
    m_engine.setDeployment(m_store->deployment().toUtf8());
    m_changed = true;
    if (locked && before != m_store->deployment()) {
        m_raises = false; // the program with the new deployment's lock continues
        m_delivery->setSettings({}, m_setup.desktop);
    }
    everySecond();
}

void AlertKeeper::stop()
{
    m_second.stop();
    if (m_raises)
        raise();
}

void AlertKeeper::apply(const DeltaPtr& delta)
{
    m_engine.apply(*delta, serverNowMs());
}

void AlertKeeper::setFindings(const LiveFindingsPtr& findings)
{
    m_engine.setFindings(*findings, serverNowMs());
}

void AlertKeeper::setServer(const ServerNumbers& numbers)
{
    m_engine.setServer(numbers, serverNowMs());
}

void AlertKeeper::setServerOffset(qint64 ms)
{
    m_offsetMs = ms;
}

void AlertKeeper::setLive(bool live)
{
    m_engine.setBlind(!live, serverNowMs());
}

void AlertKeeper::setScanned()
{
    m_engine.setScanned(serverNowMs());
}

void AlertKeeper::restoreHolds(const std::vector<PastHolds>& holds, const DeltaPtr& states)
{
    m_engine.restoreHolds(holds);
    m_engine.apply(*states, serverNowMs());
}

void AlertKeeper::setSettings(const AlertSettings& settings, const DeltaPtr& states)
{
    m_setup.settings = settings;
    m_engine.setSettings(settings);
    m_planner.setSettings(settings);
    m_delivery->setSettings(m_raises ? settings : AlertSettings(), m_setup.desktop);
    if (states)
        m_engine.apply(*states, serverNowMs());
    everySecond();
}

void AlertKeeper::everySecond()
{
    if (!m_raises && m_store->lock()) {
        takeOver();
    } else if (m_store->isChangedByOthers()) {
        if (m_store->isMoved())
            return identify(m_setup.identity);
        takeFromOthers();
    }
    if (m_raises)
        raise();
    if (m_pruneIn-- <= 0) {
        m_pruneIn = pruneSeconds;
        (void)m_store->prune(m_setup.clock->nowMs()); // the next hour is soon enough
        if (m_raises)
            m_delivery->forgetUnsent();
    }
    m_delivery->sendDue();
    if (std::exchange(m_changed, false))
        publish();
}

void AlertKeeper::takeOver()
{
    const Result<AlertStore::Contents> contents = m_store->load();
    (void)m_store->isChangedByOthers();
    m_raises = true;
    m_changed = true;
    m_pruneIn = 0;
    m_delivery->setSettings(m_setup.settings, m_setup.desktop);
    if (!contents)
        return setProblem(contents.error());
    m_silences = contents->silences;
    m_engine.restore(contents->open);
    m_planner.restore(contents->open, contents->notified);
}

void AlertKeeper::takeFromOthers()
{
    m_changed = true;
    const Result<AlertStore::Contents> contents = m_store->load();
    if (!contents)
        return setProblem(contents.error());
    m_silences = contents->silences;
    for (const AlertPtr& alert : contents->open) {
        if (alert->acknowledgedMs != 0 &&
            m_engine.acknowledge(alert->id, alert->acknowledgedBy, alert->acknowledgedMs))
            m_planner.acknowledged(alert->id);
    }
}

void AlertKeeper::raise()
{
    const std::vector<AlertEvent> events = m_engine.advance(serverNowMs());
    m_planner.add(events);
    m_events.insert(m_events.end(), events.begin(), events.end());
    const QDateTime now = QDateTime::fromMSecsSinceEpoch(m_setup.clock->nowMs());
    for (Notification& notification : m_planner.due(now, m_silences)) {
        QByteArray body = notificationJson(notification, m_setup.title);
        m_unsavedMessages.push_back({std::move(notification), std::move(body)});
    }
    if (!events.empty())
        emit happened(events);
    if (m_events.empty() && m_unsavedMessages.empty())
        return;
    m_changed = true;
    if (const Result<void> kept = m_store->commit(m_events, m_unsavedMessages); !kept)
        return setProblem(kept.error()); // tried again in a second
    m_events.clear();
    m_unsavedMessages.clear();
    setProblem(std::nullopt);
}

void AlertKeeper::setProblem(const std::optional<Error>& problem)
{
    if (m_problem == problem)
        return;
    m_problem = problem;
    m_changed = true;
}

void AlertKeeper::acknowledge(const QByteArrayList& ids, const QString& by)
{
    for (const QByteArray& id : ids) {
        const qint64 nowMs = serverNowMs();
        if (m_engine.acknowledge(id, by, nowMs))
            m_planner.acknowledged(id);
        if (const Result<void> kept = m_store->acknowledge(id, by, nowMs); !kept)
            setProblem(kept.error());
    }
    m_changed = true;
    everySecond();
}

void AlertKeeper::silence(const Silence& silence)
{
    Silence wanted = silence;
    wanted.atMs = m_setup.clock->nowMs();
    if (const Result<void> kept = m_store->add(wanted); !kept)
        setProblem(kept.error());
    takeFromOthers(); // with the number that it was given
    everySecond();
}

void AlertKeeper::endSilence(qint64 id)
{
    if (const Result<void> ended = m_store->endSilence(id); !ended)
        setProblem(ended.error());
    takeFromOthers();
    everySecond();
}

void AlertKeeper::test(const QByteArray& target)
{
    m_delivery->test(m_setup.settings, target, m_setup.title);
}

void AlertKeeper::desktopAnswered(const QByteArray& id, const QString& problem)
{
    m_delivery->desktopAnswered(id, problem);
}

void AlertKeeper::publish()
{
    auto alerts = std::make_shared<Alerts>();
    alerts->raisedHere = m_raises;
    alerts->problem = m_problem ? m_problem : m_openProblem;
    alerts->notKept = m_engine.notKept();
    if (const Result<AlertStore::Contents> contents = m_store->load()) {
        alerts->open = contents->open;
        alerts->past = contents->past;
        alerts->silences = contents->silences;
    } else {
        alerts->problem = contents.error();
    }
    if (m_raises)
        alerts->open = m_engine.open(); // also where the disk is full
    std::stable_sort(
        alerts->open.begin(), alerts->open.end(),
        [](const AlertPtr& a, const AlertPtr& b) { return a->severity > b->severity; });
    if (const auto targets = m_store->targets())
        alerts->targets = *targets;
    emit changed(alerts);
}

} // namespace lk
