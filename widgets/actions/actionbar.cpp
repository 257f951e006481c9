// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/actionbar.h"

#include "widgets/theme/plaintip.h"
#include "widgets/theme/themecolors.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace lk {

namespace {

constexpr size_t mostButtons = 3;

// Returns why the action is unavailable, or its summary.
QString tipOf(const ActionOffer& offer)
{
    const QString tip = offer.whyNot.isEmpty()
                            ? offer.action->summary()
                            : ActionBar::tr("Not available: %1").arg(offer.whyNot);
    return tip.isEmpty() ? tip : plainTip(tip.left(1).toUpper() + tip.mid(1));
}

} // namespace

void addOffersTo(QMenu* menu, const std::vector<ActionOffer>& offers, QObject* context,
                 const std::function<void(const Action*)>& chosen)
{
    const auto add = [&](const ActionOffer& offer) {
        QAction* entry = menu->addAction(offer.text);
        entry->setEnabled(offer.whyNot.isEmpty());
        entry->setToolTip(tipOf(offer));
        entry->setStatusTip(tipOf(offer));
        QObject::connect(entry, &QAction::triggered, context,
                         [chosen, action = offer.action] { chosen(action); });
    };
    menu->setToolTipsVisible(true);
    for (const ActionOffer& offer : offers) {
        if (!offer.action->removes())
            add(offer);
    }
    menu->addSeparator();
    for (const ActionOffer& offer : offers) {
        if (offer.action->removes())
            add(offer);
    }
}

ActionBar::ActionBar(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_more(new QToolButton(this))
{
    m_layout->setContentsMargins(16, 9, 16, 8);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_more);
    m_layout->addStretch(1);
    setAccessibleName(tr("Actions"));
    m_more->setText(tr("More…"));
    m_more->setAccessibleName(tr("More actions"));
    m_more->setToolTip(tr("All actions (Ctrl+Return)"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_more);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        const std::vector<ActionOffer> rest(m_offers.begin() + qsizetype(m_shown), m_offers.end());
        addOffersTo(menu, rest, this, [this](const Action* action) { emit chosen(action); });
    });
    m_more->setMenu(menu);
}

// Built again only if something differs: a button keeps its focus while numbers change.
void ActionBar::setOffers(const std::vector<ActionOffer>& offers)
{
    if (offers == m_offers)
        return;
    const bool same = offers.size() == m_offers.size() &&
                      std::equal(offers.begin(), offers.end(), m_offers.begin(),
                                 [](const ActionOffer& a, const ActionOffer& b) {
                                     return a.action == b.action && a.text == b.text;
                                 });
    m_offers = offers;
    if (!same)
        rebuild();
    for (size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setEnabled(m_offers[i].whyNot.isEmpty());
        m_buttons[i]->setToolTip(tipOf(m_offers[i]));
    }
}

void ActionBar::rebuild()
{
    for (QToolButton* button : m_buttons)
        delete button;
    m_buttons.clear();
    for (size_t i = 0; i < std::min(mostButtons, m_offers.size()); ++i) {
        auto* button = new QToolButton(this);
        button->setText(m_offers[i].text);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this,
                [this, action = m_offers[i].action] { emit chosen(action); });
        m_layout->insertWidget(int(i), button);
        m_buttons.push_back(button);
    }
    setVisible(!m_offers.empty());
    fit();
}

// Moves the buttons that do not fit into the menu.
void ActionBar::fit()
{
    const QMargins margins = m_layout->contentsMargins();
    const int room = width() - margins.left() - margins.right();
    const auto step = [this](const QToolButton* b) {
        return b->sizeHint().width() + m_layout->spacing();
    };
    int used = -m_layout->spacing();
    size_t shown = 0;
    for (; shown < m_buttons.size(); ++shown) {
        const bool rest = shown + 1 < m_offers.size();
        if (used + step(m_buttons[shown]) + (rest ? step(m_more) : 0) > room)
            break;
        used += step(m_buttons[shown]);
    }
    m_shown = shown;
    for (size_t i = 0; i < m_buttons.size(); ++i)
        m_buttons[i]->setVisible(i < shown);
    m_more->setVisible(shown < m_offers.size());
}

void ActionBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

// The menu alone is enough.
QSize ActionBar::minimumSizeHint() const
{
    const QMargins margins = m_layout->contentsMargins();
    return {m_more->sizeHint().width() + margins.left() + margins.right(),
            m_more->sizeHint().height() + margins.top() + margins.bottom()};
}

void ActionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, 0, width(), 1), colors.border);
}

} // namespace lk
