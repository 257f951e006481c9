// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedLayout;
class QToolButton;
class QVBoxLayout;

namespace lk {

class Action;
class ActionBar;
class DetailBody;
class EmptyState;
class FindingNotes;
class LayoutCharts;
class SessionHistory;
struct JobChoice;

/// The pane of the selected primitive: its identity, its numbers, its charts. The body below the
/// header depends on the kind.
class DetailPane final : public QWidget
{
    Q_OBJECT

public:
    explicit DetailPane(Kind kind, QWidget* parent = nullptr);

    void setSession(Session* session);
    void show(Handle handle);
    /// Charts rest while the board is not in front.
    void setActive(bool active);
    // See DetailBody.
    JobChoice chosenJobs() const;
    std::map<QByteArray, QByteArray> chosenValues() const;
    bool setWide(bool wide);

signals:
    /// On the primitive that is shown.
    void actionChosen(const lk::Action* action, lk::Handle handle);
    void findingWanted(quint64 id);
    void wideWanted(bool wide);
    /// A moment was chosen in a chart: it is to be shown everywhere.
    void momentWanted(qint64 tMs);
    /// The user wants to declare facts that Redis does not hold.
    void declareWanted(lk::Handle handle);

public slots:
    void showTimeline(); ///< "What happened", if there is a recording

private:
    void onChanged(const DeltaPtr& delta);
    void updateHistory();
    void refresh();
    void updateHeader(const State& state);
    void updateIcon(const State& state);
    void updateFindings();

    QPointer<Session> m_session;
    QPointer<Session> m_live; ///< the live session of the last session
    Handle m_handle = noHandle;
    DetailBody* m_body;
    LayoutCharts* m_layoutCharts;
    ActionBar* m_actions;
    QStackedLayout* m_stack;
    EmptyState* m_empty;
    QLabel* m_icon;
    QLabel* m_name;
    QLabel* m_word;
    QLabel* m_caption;
    QLabel* m_problem;
    FindingNotes* m_findings;
    QToolButton* m_declare;
    QToolButton* m_life;
    QPointer<SessionHistory> m_history; ///< the object whose signals are connected
    QTimer m_frames;                    ///< moves what depends on the time between two states
    bool m_active = false;
    bool m_isWide = false; ///< the pane has the board to itself
};

} // namespace lk
