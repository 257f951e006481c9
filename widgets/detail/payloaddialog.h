// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QLabel;
class QPlainTextEdit;

namespace lk {

/// One job: where it is, how large, and its payload, JSON with a line for each member. The payload
/// is read when the dialog opens and kept no longer than it is open.
class PayloadDialog final : public QDialog
{
    Q_OBJECT

public:
    /// More is not shown: it is to be read by a person.
    static constexpr qint64 mostBytes = 256 * 1024;

    PayloadDialog(Session* session, Handle handle, const State& queue, const JobState& state,
                  const QueueItem& job, QWidget* parent);
    /// Opens one over the window of that widget; it deletes itself.
    static PayloadDialog* open(Session* session, Handle handle, const State& queue,
                               const JobState& state, const QueueItem& job, QWidget* over);

private:
    void take(const JobPayloadPtr& payload);
    void showText();
    void copy();

    QPointer<Session> m_session;
    Handle m_handle;
    QByteArray m_state;
    QueueItem m_job;
    QByteArray m_payload;
    bool m_whole = false;
    QLabel* m_note;
    QCheckBox* m_indented;
    QPlainTextEdit* m_text;
};

} // namespace lk
