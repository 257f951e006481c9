// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/actionbar.h"

#include "widgets/theme/themecolors.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace lk {

namespace {

constexpr size_t buttonsShown = 3;

// Why not, or what it does.
QString tipOf(const ActionOffer& offer)
{
    const QString tip = offer.whyNot.isEmpty() ? offer.action->summary()
                                               : ActionBar::tr("Not now: %1").arg(offer.whyNot);
    return tip.isEmpty() ? tip : tip.left(1).toUpper() + tip.mid(1);
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
{
    m_layout->setContentsMargins(16, 9, 16, 8);
    m_layout->setSpacing(8);
    m_layout->addStretch(1);
    setAccessibleName(tr("Actions"));
}

// Made anew only when something is different: a button keeps its focus while numbers move.
void ActionBar::setOffers(const std::vector<ActionOffer>& offers)
{
    if (offers == m_offers)
        return;
    const bool same = offers.size() == m_offers.size()
                      && std::equal(offers.begin(), offers.end(), m_offers.begin(),
                                    [](const ActionOffer& a, const ActionOffer& b) {
                                        return a.action == b.action && a.text == b.text;
                                    });
    m_offers = offers;
    const auto buttons = findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
    if (!same)
        return rebuild();
    for (size_t i = 0; i < std::min(buttonsShown, m_offers.size()); ++i) {
        buttons[qsizetype(i)]->setEnabled(m_offers[i].whyNot.isEmpty());
        buttons[qsizetype(i)]->setToolTip(tipOf(m_offers[i]));
    }
}

void ActionBar::rebuild()
{
    for (QToolButton* button : findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
        delete button;
    const auto place = [this](QToolButton* button) {
        button->setFocusPolicy(Qt::StrongFocus);
        m_layout->insertWidget(m_layout->count() - 1, button);
    };
    for (size_t i = 0; i < std::min(buttonsShown, m_offers.size()); ++i) {
        auto* button = new QToolButton(this);
        button->setText(m_offers[i].text);
        button->setToolTip(tipOf(m_offers[i]));
        button->setEnabled(m_offers[i].whyNot.isEmpty());
        connect(button, &QToolButton::clicked, this,
                [this, action = m_offers[i].action] { emit chosen(action); });
        place(button);
    }
    if (m_offers.size() > buttonsShown) {
        auto* more = new QToolButton(this);
        more->setText(tr("More…"));
        more->setAccessibleName(tr("More actions"));
        more->setToolTip(tr("All that can be done (Ctrl+Return)"));
        more->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(more);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            menu->clear();
            const std::vector<ActionOffer> rest(m_offers.begin() + qsizetype(buttonsShown),
                                                m_offers.end());
            addOffersTo(menu, rest, this, [this](const Action* action) { emit chosen(action); });
        });
        more->setMenu(menu);
        place(more);
    }
    setVisible(!m_offers.empty());
}

void ActionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(0, 0, width(), 1), colors.border);
}

} // namespace lk
