// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"
#include "widgets/actions/actiondraft.h"

#include <QPointer>
#include <QWidget>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QToolButton;

namespace lk {

class ItemTable;

/// The jobs of a queue: a button for each of its states with its count, the jobs of the chosen one
/// below. Rows are selected, opened, and acted on.
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
    ItemTable* table() const { return m_table; }
    QSize minimumSizeHint() const override;

signals:
    /// To the chosen jobs.
    void actionChosen(const lk::Action* action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void setStates(const std::vector<JobState>& states);
    void placeButtons();
    void chooseState(const QByteArray& name);
    const JobState* shownState() const;
    void showJobs();
    void updateCaption(qint64 listed);
    void showMenu(const QPoint& at);
    void fillMenu(QMenu* menu);
    std::vector<ActionOffer> offers() const;
    void discard();
    void openCurrent();

    QPointer<Session> m_session;
    Handle m_handle = noHandle;
    StatePtr m_shown; ///< the state on which the table stands
    std::vector<JobState> m_states;
    QByteArray m_state; ///< name of the chosen one
    QButtonGroup* m_buttons;
    QGridLayout* m_grid;
    int m_columns = 0; ///< of the buttons' grid
    QLabel* m_caption;
    QToolButton* m_act;
    ItemTable* m_table;
};

} // namespace lk
