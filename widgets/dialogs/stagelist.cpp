// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/stagelist.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

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
    onPaletteChange(this, [this] {
        for (const auto& [sign, outcome] : m_signs)
            updateStyle(sign, outcome);
    });
}

void StageList::clear()
{
    m_signs.clear();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    hide();
}

void StageList::add(const CheckStage& stage)
{
    const int row = m_grid->rowCount();
    const auto put = [&](const QString& text, int column) {
        auto* label = new QLabel(text, this);
        label->setFont(uiFont(TextSize::Caption));
        label->setTextFormat(Qt::PlainText);
        m_grid->addWidget(label, row, column, Qt::AlignTop);
        label->show();
        return label;
    };
    QLabel* sign = put({}, 0);
    m_signs.emplace_back(sign, stage.outcome);
    updateStyle(sign, stage.outcome);
    sign->setAccessibleName(stage.outcome == CheckStage::Outcome::Ok        ? tr("OK")
                            : stage.outcome == CheckStage::Outcome::Warning ? tr("Warning")
                                                                            : tr("Failed"));
    put(stageTitle(stage.id), 1);
    put(stage.ms < 0 ? QString() : tr("%1 ms").arg(QLocale().toString(stage.ms, 'f', 1)), 2)
        ->setAlignment(Qt::AlignRight);
    QLabel* found = put(stage.text, 3);
    m_grid->setAlignment(found, {}); // as wide as there is room: it wraps
    found->setWordWrap(true);
    found->setTextInteractionFlags(Qt::TextSelectableByMouse);
    show();
}

void StageList::updateStyle(QLabel* sign, CheckStage::Outcome outcome) const
{
    const Style style = styleOf(outcome);
    sign->setPixmap(icon(QLatin1String(style.icon), style.role, palette())
                        .pixmap(QSize(iconSide, iconSide), devicePixelRatioF()));
}

} // namespace lk
