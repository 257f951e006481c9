// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/retention.h"
#include "backend/session/session.h"

#include <QDialog>
#include <QPointer>

#include <array>

class QCheckBox;
class QFormLayout;
class QLineEdit;
class QPushButton;

namespace lk {

struct ConfigEdit;
class FactGrid;
class InlineMessage;

/// How this console records: whether, into which file, how large the file may become, and for how
/// long it keeps which resolution. On and off is the console's own setting; the rest stands in the
/// session's configuration file, which lockkeeper record reads, too. Saved settings apply at once.
class RecordingDialog final : public QDialog
{
    Q_OBJECT

public:
    RecordingDialog(Session* session, QWidget* parent);

    /// Over the window of that widget; it deletes itself.
    static RecordingDialog* open(Session* session, QWidget* over);

    void accept() override; ///< saves; once that is done, says so

private:
    void buildFields(QFormLayout* form);
    void refreshFacts();
    /// Returns the entered values. Nothing if a text is no size or duration; problem then says
    /// which.
    std::optional<Retention> entered(QString& problem) const;
    void check();
    void write(const Retention& retention);
    void onWritten(const Result<ConfigEdit>& edit);
    void tellSaved(const QString& text);

    QPointer<Session> m_session;
    QString m_path; ///< the path of the configuration file
    Retention m_saved;
    QCheckBox* m_on;
    FactGrid* m_facts;
    QLineEdit* m_size;
    std::array<QLineEdit*, 4> m_keep; ///< for each tier
    InlineMessage* m_message;
    QPushButton* m_close;
    QPushButton* m_save;
};

} // namespace lk
