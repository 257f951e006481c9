// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"
#include "widgets/actions/actiondraft.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace lk {

class JobSearchBar;
class JobStateBar;
class JobTable;

/// The jobs of a queue: a button with a count for each of its states, and below the jobs of the
/// chosen state. Only jobs on screen are read. Rows can be searched, selected, opened, and acted
/// on.
class JobPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit JobPanel(QWidget* parent = nullptr);

    /// Another queue than before.
    void begin(Session& session, Handle handle);
    void showState(const State& state);
    /// The selected jobs; its count is 0 where none are.
    JobChoice chosen() const;
    JobTable* table() const { return m_table; }
    /// Takes all the room there is, and says how to leave.
    void setWide(bool wide);
    /// Jobs of that state with that text alone; nothing where there is no such state.
    void showMatching(JobRole role, const QString& text);

signals:
    /// To the chosen jobs.
    void actionChosen(const lk::Action* action);
    void wideWanted(bool wide);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildButtons();
    void chooseState(const QByteArray& name);
    const JobState* shownState() const;
    void showJobs();
    void showFound(const JobsFound& found);
    void showOwn(const QueueState& queue);
    void showPaged(const QueueState& queue);
    void wantWhatIsSeen();
    void search(const QString& text);
    bool isSearching() const;
    bool showsOwn(const QueueState& queue) const;
    JobQuery pageOf(int row) const;
    void updateCaption();
    void showMenu(const QPoint& at);
    void fillMenu(QMenu* menu);
    std::vector<ActionOffer> offers() const;
    void discard();
    void openCurrent();

    QPointer<Session> m_session;
    Handle m_handle = noHandle;
    StatePtr m_shown; ///< the state on which the table stands
    std::vector<JobState> m_states;
    QByteArray m_state;        ///< the name of the chosen state
    JobQuery m_wanted;         ///< the last query
    bool m_unreadable = false; ///< a page came without a job: further ones are not asked for
    bool m_isWide = false;
    JobStateBar* m_bar;
    JobSearchBar* m_search;
    QLabel* m_caption;
    QToolButton* m_wide;
    QToolButton* m_act;
    JobTable* m_table;
    QTimer m_seen; ///< other rows are on screen
};

} // namespace lk
