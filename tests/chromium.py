"""A Chromium without a window, for tests of pages."""

import shutil


class MissingError(Exception):
    """There is none; the message says how to have one."""


def chromium():
    """Return selenium's driver of one; the caller quits it."""
    try:
        from selenium import webdriver  # noqa: PLC0415 - it may be missing
    except ImportError as error:
        raise MissingError("selenium is not installed, with which a browser is led; pip install selenium") from error
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if not (browser and driver):
        raise MissingError("no Chromium here to look at a page with; apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
