// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/declare/configdraft.h"

#include <QDialog>
#include <QPointer>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lk {

class InlineMessage;

/// Writes an entry into the session's configuration file. Shows the lines first, then where they
/// stand, so that they can be removed again. The entry applies at once.
class ConfigDialog final : public QDialog
{
    Q_OBJECT

public:
    ConfigDialog(Session* session, ConfigDraft draft, QWidget* parent);

    /// Over the window of that widget; it deletes itself.
    static ConfigDialog* open(Session* session, ConfigDraft draft, QWidget* over);

    void accept() override; ///< writes; once that is done, closes

private:
    void buildFields(QFormLayout* form);
    ConfigDraft entered() const;
    void onRead(const Result<QByteArray>& toml);
    void preview();
    void onWritten(const Result<ConfigEdit>& edit);

    QPointer<Session> m_session;
    ConfigDraft m_draft;
    QString m_path;
    QByteArray m_toml; ///< the file's contents when the dialog was opened
    bool m_read = false;
    bool m_written = false;
    QLineEdit* m_pattern;
    QLineEdit* m_limit = nullptr; ///< null where it is not asked for, as the next
    QLineEdit* m_window = nullptr;
    QLabel* m_lines;
    InlineMessage* m_message;
    QPushButton* m_cancel;
    QPushButton* m_write;
};

} // namespace lk
