// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"
#include "backend/config/configedit.h"
#include "backend/session/session.h"

#include <QDialog>
#include <QPointer>

#include <array>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QTimeEdit;

namespace lk {

class InlineMessage;

/// Changes, adds or removes quiet hours, in which alerts that can wait send no notification. Shows
/// the lines first, then writes them into the session's configuration file. The change applies at
/// once.
class QuietDialog final : public QDialog
{
    Q_OBJECT

public:
    QuietDialog(Session* session, QWidget* parent);

    /// Over the window of that widget; it deletes itself.
    static QuietDialog* open(Session* session, QWidget* over);

    void accept() override; ///< writes; the dialog stays, for the next ones

private:
    void buildFields(QFormLayout* form);
    void onRead(const Result<QByteArray>& toml);
    void list(int chosen); ///< from 0; beyond all: new ones
    void showChosen();
    int place() const; ///< index of the chosen hours in the file; -1: new ones
    QuietHours entered() const;
    void preview();
    void write(const std::optional<QuietHours>& wanted);

    QPointer<Session> m_session;
    QString m_path;
    QByteArray m_toml; ///< the file's contents, as last read
    std::vector<QuietHours> m_hours;
    bool m_read = false;
    bool m_filling = false; ///< the fields, by program
    QComboBox* m_which;
    QTimeEdit* m_from;
    QTimeEdit* m_to;
    std::array<QCheckBox*, 7> m_days;
    QComboBox* m_upTo;
    QLabel* m_lines;
    InlineMessage* m_message;
    QPushButton* m_remove;
    QPushButton* m_close;
    QPushButton* m_write;
};

} // namespace lk
