// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timetravel/timetravel.h"

#include "backend/session/playback/playback.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionstates.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/timetravel/timebar.h"
#include "widgets/timetravel/timestrip.h"

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr int mostMarks = 500;
constexpr int marksSoonMs = 100; // several changes of what is seen are one question
constexpr qint64 playFromLiveMs = 10 * 60 * 1000; // so far back, where nothing else was chosen

} // namespace

TimeTravel::TimeTravel(TimeBar& bar, QObject* parent)
    : QObject(parent)
    , m_bar(bar)
{
    m_bar.hide();
    auto* second = new QTimer(this); // the present goes on, even if no server reports it
    connect(second, &QTimer::timeout, this, &TimeTravel::refreshBar);
    second->start(1000);
    m_marksSoon.setSingleShot(true);
    m_marksSoon.setInterval(marksSoonMs);
    connect(&m_marksSoon, &QTimer::timeout, this, &TimeTravel::askMarks);
    connect(&m_bar, &TimeBar::momentWanted, this, &TimeTravel::goTo);
    connect(&m_bar, &TimeBar::liveWanted, this, &TimeTravel::goLive);
    connect(&m_bar, &TimeBar::eventWanted, this, &TimeTravel::goToEvent);
    connect(&m_bar, &TimeBar::playWanted, this, &TimeTravel::play);
    connect(&m_bar, &TimeBar::speedChanged, this, [this] {
        if (m_playing)
            setSpeed(m_bar.speed());
    });
    connect(&m_bar.strip(), &TimeStrip::rangeChanged, this, [this] {
        if (!m_marksSoon.isActive())
            m_marksSoon.start();
    });
}

TimeTravel::~TimeTravel() = default;

Session* TimeTravel::shown() const
{
    return m_past ? m_past.get() : m_live.data();
}

bool TimeTravel::canTravel() const
{
    return m_live && m_live->history() && m_live->history()->firstMs() > 0;
}

void TimeTravel::setSession(Session* live)
{
    leave();
    if (m_live)
        m_live->disconnectAll(this);
    m_live = live;
    m_bar.strip().setMarks({});
    if (m_live) {
        connect(m_live, &Session::reported, this, &TimeTravel::refreshBar);
        connect(m_live, &Session::historyChanged, this, &TimeTravel::connectHistory);
    }
    connectHistory();
}

void TimeTravel::connectHistory()
{
    SessionHistory* history = m_live ? m_live->history() : nullptr;
    if (m_history)
        m_history->disconnect(this);
    m_history = history;
    if (history) {
        connect(history, &SessionHistory::spanChanged, this, &TimeTravel::refreshBar);
        connect(history, &SessionHistory::marksRead, this,
                [this](quint64 ticket, const std::vector<TimeMark>& marks) {
                    if (ticket == m_marksTicket)
                        m_bar.strip().setMarks(marks);
                });
        connect(history, &SessionHistory::neighbourRead, this,
                [this](quint64 ticket, const std::vector<TimeMark>& marks) {
                    if (ticket == m_neighbourTicket)
                        onNeighbour(marks);
                });
    } else if (m_past) {
        goLive(); // whose past it was is not known any more
    }
    refreshBar();
}

void TimeTravel::refreshBar()
{
    const bool can = canTravel();
    m_bar.setVisible(can);
    if (can)
        m_bar.setRecorded(m_live->history()->firstMs(), m_live->serverNowMs());
    if (std::exchange(m_could, can) != can)
        emit canTravelChanged();
}

void TimeTravel::askMarks()
{
    if (!canTravel())
        return;
    const TimeView& view = m_bar.strip().view();
    m_marksTicket = m_live->history()->askMarks({}, view.fromMs(), view.toMs(), mostMarks);
}

// The first time the boards are given another session; from then on it is that one that moves.
bool TimeTravel::enter(qint64 tMs)
{
    if (m_past)
        return true;
    SessionHistory* history = m_live->history();
    Session::Setup setup = m_live->setup();
    setup.ioThread = history->thread();
    setup.config = m_live->config();
    setup.firstSeenPath.clear();
    setup.alertFile.clear();
    m_playback = history->makePlayback(tMs, m_live->states().all());
    connect(m_playback, &Playback::shown, this, &TimeTravel::onShown);
    connect(m_playback, &Playback::ended, this, &TimeTravel::goLive);
    connect(m_playback, &Playback::failed, this, [this](const Error& error) {
        goLive();
        m_bar.showProblem(errorText(error));
    });
    m_past = std::make_unique<Session>(std::move(setup), m_playback, *m_live);
    emit shownChanged(m_past.get());
    m_past->start();
    return false;
}

void TimeTravel::goTo(qint64 tMs)
{
    if (!canTravel())
        return;
    const qint64 firstMs = m_live->history()->firstMs();
    if (tMs < firstMs)
        return m_bar.showProblem(tr("Nothing was recorded before %1").arg(momentText(firstMs)));
    if (tMs >= m_live->serverNowMs())
        return goLive();
    m_wantedMs = tMs;
    if (enter(tMs))
        QMetaObject::invokeMethod(m_playback,
                                  [playback = m_playback, tMs] { playback->seek(tMs); });
    m_bar.setMoment(tMs);
}

void TimeTravel::leave()
{
    if (!m_past)
        return;
    m_playing = false;
    m_playback->disconnect(this);
    m_playback = nullptr;
    m_bar.setPlaying(false);
    m_bar.setMoment(std::nullopt);
    const std::unique_ptr<Session> past = std::move(m_past);
    emit shownChanged(m_live); // first they let go of it
}

void TimeTravel::goLive()
{
    leave();
    m_bar.setMoment(std::nullopt);
}

void TimeTravel::onShown(qint64 tMs, qint64 blindSinceMs)
{
    if (!m_past)
        return;
    if (m_playing)
        m_wantedMs = tMs;
    else if (tMs != m_wantedMs)
        return; // another is on its way
    m_bar.setMoment(tMs, blindSinceMs);
    if (!m_playing)
        emit arrived(tMs);
}

void TimeTravel::goToEvent(bool next)
{
    if (!canTravel())
        return;
    m_neighbourNext = next;
    m_neighbourTicket =
        m_live->history()->askNeighbour(m_past ? m_wantedMs : m_live->serverNowMs(), next);
}

void TimeTravel::onNeighbour(const std::vector<TimeMark>& marks)
{
    if (marks.empty())
        return m_bar.showProblem(m_neighbourNext ? tr("No later event was recorded")
                                                 : tr("No earlier event was recorded"));
    goTo(marks.front().tMs);
    m_bar.setEvents(marks);
}

void TimeTravel::play(bool on)
{
    if (!canTravel() || on == m_playing)
        return;
    if (on && !m_past)
        goTo(std::max(m_live->history()->firstMs(), m_live->serverNowMs() - playFromLiveMs));
    if (!m_past)
        return;
    m_playing = on;
    m_bar.setPlaying(on);
    setSpeed(on ? m_bar.speed() : 0);
}

void TimeTravel::setSpeed(double speed)
{
    QMetaObject::invokeMethod(m_playback,
                              [playback = m_playback, speed, untilMs = m_live->serverNowMs()] {
                                  playback->play(speed, untilMs);
                              });
}

void TimeTravel::openField()
{
    if (canTravel())
        m_bar.openField();
}

} // namespace lk
