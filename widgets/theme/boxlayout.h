// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>

#include <functional>
#include <initializer_list>

namespace lk {

/// Room that grows, by its share of what is left.
struct BoxStretch
{
    int share = 1;
};

/// Room of a fixed size.
struct BoxGap
{
    int pixels;
};

/// A thing in a row or a column: a widget, a layout, or room. Made where it is needed.
struct BoxItem
{
    BoxItem(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {})
        : addTo([=](QBoxLayout& box) { box.addWidget(widget, stretch, alignment); })
    {}
    BoxItem(QLayout* layout, int stretch = 0)
        : addTo([=](QBoxLayout& box) { box.addLayout(layout, stretch); })
    {}
    BoxItem(BoxStretch stretch)
        : addTo([=](QBoxLayout& box) { box.addStretch(stretch.share); })
    {}
    BoxItem(BoxGap gap)
        : addTo([=](QBoxLayout& box) { box.addSpacing(gap.pixels); })
    {}

    std::function<void(QBoxLayout&)> addTo;
};

using BoxItems = std::initializer_list<BoxItem>;

/// Lays the items out in the widget, which must have no layout. spacing: pixels between them;
/// -1: as the style has it.
QHBoxLayout* rowIn(QWidget* widget, const QMargins& margins, int spacing, BoxItems items = {});
QVBoxLayout* columnIn(QWidget* widget, const QMargins& margins, int spacing, BoxItems items = {});
/// A part of another layout.
QHBoxLayout* rowOf(int spacing, BoxItems items = {});
QVBoxLayout* columnOf(int spacing, BoxItems items = {});

} // namespace lk
