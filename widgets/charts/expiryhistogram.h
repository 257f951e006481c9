// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/endcount.h"
#include "widgets/charts/chartwidget.h"

#include <optional>
#include <vector>

namespace lk {

class ChartHeader;
class RedrawGate;

/// When things end: how many leases or tokens run out in each span of the time ahead. Everything
/// beyond is one bar, "later"; things that never end have a bar of their own. Ctrl+wheel, + and -
/// choose how far the chart looks ahead. End and a double click leave that to the chart again. If
/// the bars can be pressed, a click does that, or the arrow keys with Return.
class ExpiryHistogram final : public ChartWidget
{
    Q_OBJECT
public:
    /// One bar: the number of ends in a span of the time ahead, in milliseconds.
    struct Bin
    {
        qint64 fromMs = 0; ///< from now on; the last one of "later" has no end
        qint64 toMs = 0;
        qint64 count = 0;
    };

    /// The span that one bar counts.
    struct Stretch
    {
        qint64 fromMs = 0;          ///< from now on
        std::optional<qint64> toMs; ///< empty: no end
        bool never = false;         ///< only things that never end
    };

    explicit ExpiryHistogram(QWidget* parent = nullptr);

    /// Makes the bars pressable. does: what a press does, a sentence without full stop.
    void setChoosable(const QString& does);

    /// "Locks expiring", "locks".
    void setTitle(const QString& title, const QString& unitInWords);
    /// ends: in any order; never: how many have no end.
    void setEnds(std::vector<EndCount> ends, qint64 never);
    void setNow(qint64 serverNowMs);
    /// Now is a moment in the past; the present: knownToMs. 0: it is not.
    void setPast(qint64 knownToMs);
    /// How far it looks ahead. 0 (the default): as far as nine of ten reach.
    void setSpan(qint64 spanMs);

    std::vector<Bin> bins() const; ///< as drawn, "later" not among them
    qint64 later() const;
    qint64 never() const { return m_never; }
    QString csv() const override;
    /// Where that bar is pressed: the bins from 0 on, then "later" and "never" where they are.
    QRect barPlace(int index) const;
    /// A label below the bars.
    struct Caption
    {
        QRectF place;
        QString text;
        bool isNow = false; ///< else a bar's
    };
    std::vector<Caption> captions() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const lk::ExpiryHistogram::Stretch& stretch);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    Shown shown() const override { return {m_nowMs, m_nowMs}; }
    QString chartTitle() const override { return m_title; }

private:
    /// One bar: a bin, "later" or "never".
    struct Bar
    {
        QRectF place; ///< from the base line up; of no height where nothing ends
        qint64 count = 0;
        QString label; ///< below it; empty where there is no room for all
        QString text;  ///< the whole of it in words
        Stretch stretch;
        bool soonest = false;
        bool apart = false; ///< "later" and "never"
    };

    qint64 shownSpan() const;
    qint64 laterThan(const std::vector<Bin>& bins) const;
    void step(int by);
    QRect plotRect() const;
    std::vector<Bar> bars() const;
    QString description() const;
    std::optional<int> barAt(const QPoint& place) const;
    void moveCurrent(int by);
    void choose(int index);
    QString currentText() const;

    QString m_title;
    QString m_unit;
    std::vector<EndCount> m_ends; ///< ascending
    qint64 m_ending = 0;          ///< how many these are
    qint64 m_never = 0;
    qint64 m_nowMs = 0;
    qint64 m_knownToMs = 0; ///< in the past: the present; else 0
    qint64 m_spanMs = 0;
    QString m_does;               ///< the effect of a press on a bar; empty: none
    std::optional<int> m_current; ///< the bar that Return presses
    std::optional<int> m_pressed; ///< by the mouse
    ChartHeader* m_header = nullptr;
    RedrawGate* m_gate = nullptr;
};

} // namespace lk
