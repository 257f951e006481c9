// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time/spanpicker.h"

#include "widgets/charts/timeaxis.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QToolButton>

namespace lk {

SpanPicker::SpanPicker(QWidget* parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
{
    setAccessibleName(tr("Time span of the charts"));
    auto* row = rowIn(this, {}, 2);
    const auto& spans = chartSpans();
    for (size_t i = 0; i < spans.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setText(spanTitle(spans[i]));
        button->setFont(uiFont(TextSize::Caption));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(tr("Show the last %1").arg(spanTitle(spans[i])));
        button->setToolTip(button->accessibleName());
        m_buttons->addButton(button, int(i));
        row->addWidget(button);
    }
    connect(m_buttons, &QButtonGroup::idClicked, this,
            [this](int id) { emit spanChosen(chartSpans()[size_t(id)]); });
    setSpan(spans[1]);
}

void SpanPicker::setAxis(TimeAxis* axis)
{
    connect(this, &SpanPicker::spanChosen, axis, &TimeAxis::setSpan);
    connect(axis, &TimeAxis::rangeChanged, this, [this, axis] { setSpan(axis->view().spanMs()); });
    setSpan(axis->view().spanMs());
}

void SpanPicker::setSpan(qint64 spanMs)
{
    m_buttons->setExclusive(false);
    for (QAbstractButton* button : m_buttons->buttons())
        button->setChecked(chartSpans()[size_t(m_buttons->id(button))] == spanMs);
    m_buttons->setExclusive(true);
}

qint64 SpanPicker::spanMs() const
{
    const int id = m_buttons->checkedId();
    return id < 0 ? 0 : chartSpans()[size_t(id)];
}

} // namespace lk
