// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QIcon>
#include <QWidget>

namespace lk {

/// How an environment's label stands out. Production is filled with the danger colour, the
/// others are tinted; each has an icon and its word, so that none depends on its colour.
struct EnvironmentStyle
{
    ColorRole role = ColorRole::Accent;
    QString icon;
    bool filled = false;
};

/// Knows production, "staging", "development" and their usual short forms.
EnvironmentStyle environmentStyle(const QString& label);
/// Null without a label.
QIcon environmentIcon(const QString& label, const QPalette& palette);

/// The badge's size in this font; empty for an empty label.
QSize environmentBadgeSize(const QString& label, const QFont& font);
void paintEnvironmentBadge(QPainter& painter, const QRect& rect, const QString& label,
                           const QPalette& palette);

/// Shows an environment's label as an icon and its word in capitals.
class EnvironmentBadge final : public QWidget
{
    Q_OBJECT

public:
    explicit EnvironmentBadge(QWidget* parent = nullptr);

    void setLabel(const QString& label);
    const QString& label() const { return m_label; }

    QSize sizeHint() const override { return environmentBadgeSize(m_label, font()); }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_label;
};

} // namespace lk
