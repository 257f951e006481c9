// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/chartwidget.h"

#include <vector>

namespace lk {

class ChartHeader;
class RedrawGate;

/// When things end: how many leases or tokens run out in each stretch of the time ahead. What
/// lies beyond is one bar, "later"; what never ends stands apart. Ctrl+wheel, + and - choose how far
/// it looks ahead, End and a double click leave that to the chart again.
class HorizonChart final : public ChartWidget
{
    Q_OBJECT
public:
    struct Bin
    {
        qint64 fromMs = 0; ///< from now on; the last one of "later" has no end
        qint64 toMs = 0;
        int count = 0;
    };

    explicit HorizonChart(QWidget* parent = nullptr);

    /// "Leases ending", "locks".
    void setTitle(const QString& title, const QString& unitInWords);
    /// endsMs: moments of server time, in any order; never: how many have no end.
    void setEnds(std::vector<qint64> endsMs, int never);
    void setNow(qint64 serverNowMs);
    /// How far it looks ahead. 0 (the default): as far as nine of ten reach.
    void setSpan(qint64 spanMs);

    std::vector<Bin> bins() const; ///< as drawn, "later" not among them
    int later() const;
    int never() const { return m_never; }
    QString csv() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    Shown shown() const override { return {m_nowMs, m_nowMs}; }
    QString chartTitle() const override { return m_title; }

private:
    /// One bar: a bin, "later" or "never".
    struct Bar
    {
        QRectF place; ///< from the base line up; of no height where nothing ends
        int count = 0;
        QString label; ///< below it; empty where there is no room for all
        QString text;  ///< the whole of it in words
        bool soonest = false;
        bool apart = false; ///< "later" and "never"
    };

    qint64 shownSpan() const;
    void step(int by);
    QRect plotRect() const;
    std::vector<Bar> bars() const;
    QString description() const;

    QString m_title;
    QString m_unit;
    std::vector<qint64> m_endsMs; ///< ascending
    int m_never = 0;
    qint64 m_nowMs = 0;
    qint64 m_spanMs = 0;
    ChartHeader* m_header = nullptr;
    RedrawGate* m_gate = nullptr;
};

} // namespace lk
