// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace lk {

/// A button that is filled where what it does removes something: with the danger colour, or with
/// the accent where it only changes something.
class DangerButton final : public QPushButton
{
    Q_OBJECT

public:
    explicit DangerButton(QWidget* parent = nullptr);

    void setDangerous(bool dangerous);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_dangerous = false;
};

} // namespace lk
