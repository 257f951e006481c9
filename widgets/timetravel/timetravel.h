// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "backend/session/session.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>

namespace lk {

class Playback;
class TimeBar;

/// Goes to any recorded moment and back: makes the session in the past that the boards show
/// meanwhile, and updates the time bar. The live session goes on. GUI thread.
class TimeTravel final : public QObject
{
    Q_OBJECT

public:
    /// Shows the bar once there is a recording. Not owned; outlives this.
    explicit TimeTravel(TimeBar& bar, QObject* parent = nullptr);
    ~TimeTravel() override;

    /// The live one; null: none. Ends the past of the one before.
    void setSession(Session* live);
    /// The session for the boards: the live one, or its past.
    Session* shown() const;
    bool isPast() const { return m_past != nullptr; }
    bool canTravel() const;

public slots:
    void goTo(qint64 tMs);
    void goLive();
    void goToEvent(bool next);
    void play(bool on);
    void openField(); ///< for a time

signals:
    void shownChanged(lk::Session* shown);
    void canTravelChanged();
    void arrived(qint64 tMs); ///< the boards show the chosen moment

private:
    bool enter(qint64 tMs);
    void leave();
    void connectHistory();
    void refreshBar();
    void askMarks();
    void onShown(qint64 tMs, qint64 blindSinceMs);
    void onNeighbour(const std::vector<TimeMark>& marks);
    void setSpeed(double speed);

    TimeBar& m_bar;
    QPointer<Session> m_live;
    QPointer<QObject> m_history; ///< the object whose signals are connected
    std::unique_ptr<Session> m_past;
    Playback* m_playback = nullptr; ///< the past session's; lives in the history's thread
    qint64 m_wantedMs = 0;
    QTimer m_marksSoon;
    quint64 m_marksTicket = 0;
    quint64 m_neighbourTicket = 0;
    bool m_neighbourNext = false;
    bool m_playing = false;
    bool m_could = false;
};

} // namespace lk
