// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/boxlayout.h"

namespace lk {

namespace {

template<typename Box> Box* filled(Box* box, int spacing, BoxItems items)
{
    box->setSpacing(spacing);
    for (const BoxItem& item : items)
        item.addTo(*box);
    return box;
}

} // namespace

QHBoxLayout* rowIn(QWidget* widget, const QMargins& margins, int spacing, BoxItems items)
{
    auto* box = filled(new QHBoxLayout(widget), spacing, items);
    box->setContentsMargins(margins);
    return box;
}

QVBoxLayout* columnIn(QWidget* widget, const QMargins& margins, int spacing, BoxItems items)
{
    auto* box = filled(new QVBoxLayout(widget), spacing, items);
    box->setContentsMargins(margins);
    return box;
}

QHBoxLayout* rowOf(int spacing, BoxItems items)
{
    return filled(new QHBoxLayout, spacing, items);
}

QVBoxLayout* columnOf(int spacing, BoxItems items)
{
    return filled(new QVBoxLayout, spacing, items);
}

} // namespace lk
