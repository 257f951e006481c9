// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"

#include <QDialog>

class QComboBox;
class QLineEdit;

namespace lk {

/// Asks for how long nobody is to be told of an alert, of all of its rule or of all that have its
/// name, and why.
class SilenceDialog final : public QDialog
{
    Q_OBJECT

public:
    /// nowMs: this machine's clock.
    SilenceDialog(const AlertPtr& alert, qint64 nowMs, QWidget* parent);

    Silence silence() const;

private:
    AlertPtr m_alert;
    qint64 m_nowMs;
    QComboBox* m_what;
    QComboBox* m_until;
    QLineEdit* m_reason;
};

} // namespace lk
