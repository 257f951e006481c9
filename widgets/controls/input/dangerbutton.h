// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace lk {

/// A button that is filled with the danger colour if it removes something, or with the accent
/// colour if it only changes something.
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
