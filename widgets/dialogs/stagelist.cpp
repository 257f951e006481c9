// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/stagelist.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

constexpr int iconSide = 14;

struct Style
{
    ColorRole role;
    const char* icon;
};

Style styleOf(CheckStage::Outcome outcome)
{
    switch (outcome) {
    case CheckStage::Outcome::Ok:
        return {ColorRole::Ok, "ok"};
    case CheckStage::Outcome::Warning:
        return {ColorRole::Warning, "warning"};
    case CheckStage::Outcome::Failed:
        return {ColorRole::Danger, "error"};
    }
    return {ColorRole::Second, "unknown"};
}

} // namespace

StageList::StageList(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(3, 1);
    setAccessibleName(tr("Connection test"));
    hide();
}

void StageList::clear()
{
    m_stages.clear();
    build();
    hide();
}

void StageList::add(const CheckStage& stage)
{
    m_stages.push_back(stage);
    addRow(stage);
    show();
}

void StageList::build()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const CheckStage& stage : m_stages)
        addRow(stage);
}

void StageList::addRow(const CheckStage& stage)
{
    const auto label = [&](const QString& text) {
        auto* made = new QLabel(text, this);
        made->setFont(uiFont(TextSize::Caption));
        made->setTextFormat(Qt::PlainText);
        return made;
    };
    const Style style = styleOf(stage.outcome);
    const int row = m_grid->rowCount();
    auto* sign = new QLabel(this);
    sign->setPixmap(icon(QLatin1String(style.icon), style.role, palette())
                        .pixmap(QSize(iconSide, iconSide), devicePixelRatioF()));
    const bool failed = stage.outcome == CheckStage::Outcome::Failed;
    sign->setAccessibleName(failed                                          ? tr("Failed")
                            : stage.outcome == CheckStage::Outcome::Warning ? tr("Warning")
                                                                            : tr("OK"));
    const QString time =
        stage.ms < 0 ? QString() : tr("%1 ms").arg(QLocale().toString(stage.ms, 'f', 1));
    QLabel* took = label(time);
    took->setAlignment(Qt::AlignRight | Qt::AlignTop);
    QLabel* found = label(stage.text);
    found->setWordWrap(true);
    found->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(sign, row, 0, Qt::AlignTop);
    m_grid->addWidget(label(stageTitle(stage.id)), row, 1, Qt::AlignTop);
    m_grid->addWidget(took, row, 2);
    m_grid->addWidget(found, row, 3);
}

void StageList::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        build();
    QWidget::changeEvent(event);
}

} // namespace lk
