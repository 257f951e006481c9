// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/core/result.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace lk {

class InlineMessage;

/// Asks for how long an alert, all of its rule or all on its name are silenced, and why.
class SilenceDialog final : public QDialog
{
    Q_OBJECT

public:
    /// nowMs: this machine's clock.
    SilenceDialog(const AlertPtr& alert, qint64 nowMs, QWidget* parent);

    Silence silence() const;

    void accept() override; ///< the dialog stays where the time entered is none

private:
    Result<qint64> until() const; ///< 0: until ended manually

    AlertPtr m_alert;
    qint64 m_nowMs;
    QFormLayout* m_form;
    QComboBox* m_what;
    QComboBox* m_until;
    QLineEdit* m_time; ///< if it is chosen to enter one
    QLineEdit* m_reason;
    InlineMessage* m_message; ///< below the field: why the input is refused
};

} // namespace lk
