// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

class QToolButton;

namespace lk {

/// The line above a chart: title, unit in words, the value at the chart's end; while that is not
/// live, since when, tinted, and the way back.
class ChartHeader final : public QWidget
{
    Q_OBJECT
public:
    explicit ChartHeader(QWidget* parent);

    void setTitle(const QString& title, const QString& unit);
    void setValue(const QString& value, ColorRole color = ColorRole::Text);
    /// still: the texts while it is not live, the longest first; the longest that fits is shown.
    /// Empty: it is live. wayBack: a click here makes it live again. past: with all boards.
    void setStill(const QStringList& still, bool wayBack, bool past = false);
    bool isStill() const { return !m_still.isEmpty(); }
    /// Leaves the button out, for a picture of it.
    void setBare(bool bare);
    QString title() const { return m_title; }
    QString unit() const { return m_unit; }

    QSize sizeHint() const override;

signals:
    void followWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    int stillWidth() const;

    QString m_title;
    QString m_unit;
    QString m_value;
    ColorRole m_valueColor = ColorRole::Text;
    QStringList m_still;
    QString m_stillShown;
    bool m_wayBack = false;
    bool m_past = false;
    bool m_bare = false;
    QToolButton* m_follow;
};

} // namespace lk
