// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace lk {

/// "Remember in the keyring": without a keyring it cannot be ticked, and says why.
class RememberBox final : public QWidget
{
    Q_OBJECT

public:
    /// Asks the store once whether it works.
    explicit RememberBox(SecretStore& secrets, QWidget* parent = nullptr);

    bool isChecked() const;
    void setChecked(bool checked); ///< does nothing if it cannot be ticked
    QCheckBox* box() const { return m_box; }
    QString reason() const; ///< why it cannot be ticked; empty if it can

private:
    void setReason(const QString& reason);

    QCheckBox* m_box;
    QLabel* m_reason;
    bool m_wanted = false; ///< ticked as soon as the keyring has answered
};

} // namespace lk
