// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/input/tabsequence.h"

#include <QWidget>

#include <algorithm>

namespace lk {

namespace {

// Siblings that lie side by side are read along the line, else from above.
bool comesBefore(const QWidget& a, const QWidget& b)
{
    const QRect first = a.geometry();
    const QRect second = b.geometry();
    if (first.bottom() < second.top() || second.bottom() < first.top())
        return first.top() < second.top();
    return a.layoutDirection() == Qt::RightToLeft ? first.right() > second.right()
                                                  : first.left() < second.left();
}

// Few, and not by sorting: among three that overlap in part none may be the first.
QList<QWidget*> childrenInOrder(const QWidget& parent)
{
    QList<QWidget*> waiting;
    for (QObject* child : parent.children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (widget && !widget->isWindow() && widget->isVisible() && widget->isEnabled())
            waiting << widget;
    }
    QList<QWidget*> order;
    while (!waiting.isEmpty()) {
        const auto first = std::find_if(waiting.begin(), waiting.end(), [&](const QWidget* one) {
            return std::none_of(waiting.begin(), waiting.end(), [&](const QWidget* other) {
                return other != one && comesBefore(*other, *one);
            });
        });
        order << waiting.takeAt(first == waiting.end() ? 0 : first - waiting.begin());
    }
    return order;
}

void addBelow(QWidget* widget, QList<QWidget*>& sequence)
{
    if (!widget->isVisible() || !widget->isEnabled())
        return;
    // The line of a spin box is the spin box.
    if (widget->focusPolicy() & Qt::TabFocus && !widget->focusProxy())
        sequence << widget;
    for (QWidget* child : childrenInOrder(*widget))
        addBelow(child, sequence);
}

} // namespace

QList<QWidget*> tabSequence(const QList<QWidget*>& parts)
{
    QList<QWidget*> sequence;
    for (QWidget* part : parts)
        addBelow(part, sequence);
    return sequence;
}

QWidget* nextByTab(const QList<QWidget*>& sequence, const QWidget* now, bool forward)
{
    if (sequence.isEmpty())
        return nullptr;
    const qsizetype at = sequence.indexOf(now);
    if (at < 0)
        return forward ? sequence.front() : sequence.back();
    const qsizetype size = sequence.size();
    return sequence[(at + (forward ? 1 : size - 1)) % size];
}

} // namespace lk
