// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"
#include "widgets/controls/labels/factgrid.h"

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace lk {

class JobLinks;

/// One job: its library's data, its payload, JSON with a line for each member, and why it failed.
/// All of it is read when the dialog opens and kept only while it is open. A payload that its row
/// did not show is hidden until the user asks for it.
class JobDialog final : public QDialog
{
    Q_OBJECT

public:
    /// The part of a payload that is shown, because it is meant for reading.
    static constexpr qint64 mostBytes = 256 * 1024;

    /// Which job, as it was listed.
    struct Job
    {
        QPointer<Session> session;
        Handle handle;
        StatePtr queue;
        JobState state; ///< without a name: not known
        QueueJob item;
        JobQuery page; ///< that it stands in
    };

    JobDialog(Job job, QWidget* parent);
    /// Opens one over the window of that widget; it deletes itself.
    static JobDialog* open(Job job, QWidget* over);

signals:
    /// Jobs with that text are to be listed in its queue.
    void searchWanted(const QString& text);

private:
    void follow(const JobLink& link);
    void showLinks();

    void take(const OpenedJobPtr& opened);
    void showFacts();
    void showPlace(std::vector<FactGrid::Row>& rows);
    void showPayload();
    void showFailure();
    void copy();
    QPlainTextEdit* addText(const QString& title, const char* name);

    const Job m_job;
    JobDetail m_detail;
    bool m_whole = false;    ///< m_detail's payload is all there is
    bool m_revealed = false; ///< the payload may be seen
    bool m_placed = false;   ///< where its key is, in a cluster, is shown, or it has none
    bool m_read = false;
    FactGrid* m_facts;
    JobLinks* m_links;
    QLabel* m_note;
    QCheckBox* m_indented;
    QPushButton* m_reveal = nullptr;
    QPushButton* m_copy = nullptr;
    QTabWidget* m_tabs;
    QPlainTextEdit* m_text;
    QPlainTextEdit* m_error;
    QPlainTextEdit* m_result;
    QPlainTextEdit* m_stored;
};

} // namespace lk
