// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QButtonGroup;

namespace lk {

class TimeAxis;

/// "1 min  5 min  15 min  1 h  24 h": one choice for several charts.
class SpanPicker final : public QWidget
{
    Q_OBJECT
public:
    explicit SpanPicker(QWidget* parent = nullptr);

    /// Sets the span of the axis, and follows it. Not owned.
    void setAxis(TimeAxis* axis);
    void setSpan(qint64 spanMs); ///< emits nothing; no button is down if it is none of the five
    qint64 spanMs() const;

signals:
    void spanChosen(qint64 spanMs);

private:
    QButtonGroup* m_buttons;
};

} // namespace lk
