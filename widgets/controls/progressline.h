// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProgressBar>

#include <optional>

namespace lk {

/// A thin line that fills from left to right. Its words stand beside it.
class ProgressLine final : public QProgressBar
{
    Q_OBJECT

public:
    explicit ProgressLine(const QString& accessibleName, QWidget* parent = nullptr);

    /// Empty: how far it is, is not known; the line stays empty.
    void setPercent(std::optional<int> percent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lk
