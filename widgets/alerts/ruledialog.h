// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/configedit.h"
#include "backend/session/session.h"

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lk {

class InlineMessage;

/// Changes or adds an alert rule. Shows the lines first, then writes them into the session's
/// configuration file, where comments and order stay. The rule applies at once.
class RuleDialog final : public QDialog
{
    Q_OBJECT

public:
    RuleDialog(Session* session, QWidget* parent);

    /// Over the window of that widget; it deletes itself.
    static RuleDialog* open(Session* session, QWidget* over);

    void accept() override; ///< writes; the dialog stays, for the next one

private:
    void buildFields(QFormLayout* form);
    void onRead(const Result<QByteArray>& toml);
    void listRules(const QByteArray& chosen); ///< AlertRule::id(); not there: the first
    void showRule();
    /// Returns the entered rule, or what is wrong with it.
    Result<AlertRule> entered() const;
    void preview();
    void onWritten(const Result<ConfigEdit>& edit, const QByteArray& id);

    QPointer<Session> m_session;
    QString m_path;
    QByteArray m_toml;              ///< the file's contents, as last read
    std::vector<AlertRule> m_rules; ///< in the order of the choice; after them a new one
    bool m_read = false;
    bool m_filling = false; ///< the fields, by program
    QComboBox* m_rule;
    QLineEdit* m_when;
    QLineEdit* m_match;
    QLineEdit* m_for;
    QLineEdit* m_resolve;
    QComboBox* m_severity;
    QLineEdit* m_notify;
    QCheckBox* m_on;
    QLabel* m_lines;
    InlineMessage* m_message;
    QPushButton* m_close;
    QPushButton* m_write;
};

} // namespace lk
