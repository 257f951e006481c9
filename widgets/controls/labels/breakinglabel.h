// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace lk {

/// A label for text that must never be cut, such as an owner or a key: text wider than the label
/// breaks into lines anywhere. Plain text that can be selected.
class BreakingLabel final : public QLabel
{
    Q_OBJECT

public:
    explicit BreakingLabel(QWidget* parent = nullptr);

    /// False: only between words, as other labels do.
    void setBreaksAnywhere(bool anywhere);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool breaksAt(int width) const;
    /// Lays the text out, draws it if there is a painter, and returns its height.
    int layOut(int width, QPainter* painter) const;

    bool m_anywhere = false;
};

} // namespace lk
